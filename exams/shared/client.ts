import { connect, type Socket } from 'node:net'

// A minimal HTTP/1.1 client on a socket: fast, and without processing of the bytes.

export interface HttpRequest {
  readonly method: string
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | undefined
}

export interface HttpResponse {
  readonly status: number
  /** In order, with names in lower case. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string
}

/** The connection ended before the response was complete. */
export class ConnectionLostError extends Error {}

/** Sends one request after the other on one connection. */
export class Client {
  private readonly port: number
  private socket: Socket | undefined
  private received = Buffer.alloc(0)
  private pending: { resolve(response: HttpResponse): void; reject(error: Error): void; isHead: boolean } | undefined

  constructor(port: number) {
    this.port = port
  }

  send({ method, url, headers = {}, body }: HttpRequest): Promise<HttpResponse> {
    if (this.pending !== undefined) throw new Error('The connection already has a pending request.')
    const contentLength = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
    const lines = Object.entries({ Host: 'localhost', ...headers, ...contentLength }).map(
      ([name, value]) => `${name}: ${value}`,
    )
    return new Promise((resolve, reject) => {
      this.pending = { resolve, reject, isHead: method === 'HEAD' }
      this.open().write(`${method} ${url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body ?? ''}`)
    })
  }

  /** A request without a response fails. */
  close(): void {
    this.socket?.destroy()
  }

  private open(): Socket {
    if (this.socket !== undefined) return this.socket
    const socket = connect(this.port, '127.0.0.1').setNoDelay(true)
    const fail = () => {
      if (this.socket !== socket) return
      this.socket = undefined
      this.received = Buffer.alloc(0)
      const { pending: waiting } = this
      this.pending = undefined
      waiting?.reject(new ConnectionLostError('The connection has ended.'))
    }
    socket.on('error', fail)
    socket.on('close', fail)
    socket.on('data', (chunk) => {
      this.received = this.received.length === 0 ? chunk : Buffer.concat([this.received, chunk])
      this.read(socket)
    })
    this.socket = socket
    return socket
  }

  private read(socket: Socket): void {
    const { pending: waiting } = this
    if (waiting === undefined) return
    const found = readResponse(this.received, waiting.isHead)
    if (found === undefined) return
    this.received = this.received.subarray(found.length)
    this.pending = undefined
    if (headerOf(found.response, 'connection') === 'close') {
      this.socket = undefined
      socket.destroy()
    }
    waiting.resolve(found.response)
  }
}

export function headerOf({ headers }: HttpResponse, name: string): string | undefined {
  return headers.find(([each]) => each === name)?.[1]
}

/** `undefined`: the response is incomplete. */
function readResponse(bytes: Buffer, isHead: boolean): { response: HttpResponse; length: number } | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end === -1) return undefined
  const [first = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n')
  const status = Number(first.slice(9, 12))
  if (status === 100) {
    const rest = readResponse(bytes.subarray(end + 4), isHead)
    return rest && { response: rest.response, length: rest.length + end + 4 }
  }
  const headers = lines.map((line) => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const
  })
  const toResult = (body: string, length: number) => ({ response: { status, headers, body }, length })
  if (isHead || status === 204 || status === 304) return toResult('', end + 4)
  const value = (name: string) => headers.find(([each]) => each === name)?.[1]
  if (value('transfer-encoding') === 'chunked') {
    const chunks = readChunks(bytes, end + 4)
    return chunks && toResult(chunks.body, chunks.end)
  }
  const from = end + 4
  const length = Number(value('content-length') ?? 0)
  return bytes.length < from + length ? undefined : toResult(bytes.toString('utf8', from, from + length), from + length)
}

function readChunks(bytes: Buffer, start: number): { body: string; end: number } | undefined {
  const chunks: Buffer[] = []
  for (let at = start; ; ) {
    const line = bytes.indexOf('\r\n', at)
    if (line === -1) return undefined
    const size = Number.parseInt(bytes.toString('latin1', at, line), 16)
    if (bytes.length < line + size + 4) return undefined
    if (size === 0) return { body: Buffer.concat(chunks).toString('utf8'), end: line + 4 }
    chunks.push(bytes.subarray(line + 2, line + 2 + size))
    at = line + size + 4
  }
}
