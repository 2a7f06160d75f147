import { connect, type Socket } from 'node:net'

// A minimal HTTP/1.1 client on a socket: fast, and without processing of the bytes.

export interface Sent {
  readonly method: string
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | undefined
}

export interface Answer {
  readonly status: number
  /** In order, with names in lower case. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string
}

/** The connection ended before the response was complete. */
export class NoAnswer extends Error {}

/** Sends one request after the other on one connection. */
export class Client {
  private readonly port: number
  private socket: Socket | undefined
  private received = Buffer.alloc(0)
  private waiting: { resolve(answer: Answer): void; reject(error: Error): void; isHead: boolean } | undefined

  constructor(port: number) {
    this.port = port
  }

  send({ method, url, headers = {}, body }: Sent): Promise<Answer> {
    if (this.waiting !== undefined) throw new Error('A request is under way on this connection.')
    const sized = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
    const lines = Object.entries({ Host: 'localhost', ...headers, ...sized }).map(
      ([name, value]) => `${name}: ${value}`,
    )
    return new Promise((resolve, reject) => {
      this.waiting = { resolve, reject, isHead: method === 'HEAD' }
      this.open().write(`${method} ${url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body ?? ''}`)
    })
  }

  close(): void {
    this.socket?.destroy()
    this.socket = undefined
  }

  private open(): Socket {
    if (this.socket !== undefined) return this.socket
    const socket = connect(this.port, '127.0.0.1').setNoDelay(true)
    const fail = () => {
      if (this.socket !== socket) return
      this.socket = undefined
      this.received = Buffer.alloc(0)
      const { waiting } = this
      this.waiting = undefined
      waiting?.reject(new NoAnswer('The connection has ended.'))
    }
    socket.on('error', fail)
    socket.on('close', fail)
    socket.on('data', (piece) => {
      this.received = this.received.length === 0 ? piece : Buffer.concat([this.received, piece])
      this.read(socket)
    })
    this.socket = socket
    return socket
  }

  private read(socket: Socket): void {
    const { waiting } = this
    if (waiting === undefined) return
    const found = readAnswer(this.received, waiting.isHead)
    if (found === undefined) return
    this.received = this.received.subarray(found.length)
    this.waiting = undefined
    if (headerOf(found.answer, 'connection') === 'close') {
      this.socket = undefined
      socket.destroy()
    }
    waiting.resolve(found.answer)
  }
}

export function headerOf({ headers }: Answer, name: string): string | undefined {
  return headers.find(([each]) => each === name)?.[1]
}

/** `undefined`: the response is incomplete. */
function readAnswer(bytes: Buffer, isHead: boolean): { answer: Answer; length: number } | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end === -1) return undefined
  const [first = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n')
  const status = Number(first.slice(9, 12))
  if (status === 100) {
    const rest = readAnswer(bytes.subarray(end + 4), isHead)
    return rest && { answer: rest.answer, length: rest.length + end + 4 }
  }
  const headers = lines.map((line) => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const
  })
  const done = (body: string, length: number) => ({ answer: { status, headers, body }, length })
  if (isHead || status === 204 || status === 304) return done('', end + 4)
  const value = (name: string) => headers.find(([each]) => each === name)?.[1]
  if (value('transfer-encoding') === 'chunked') {
    const chunks = readChunks(bytes, end + 4)
    return chunks && done(chunks.body, chunks.end)
  }
  const from = end + 4
  const length = Number(value('content-length') ?? 0)
  return bytes.length < from + length ? undefined : done(bytes.toString('utf8', from, from + length), from + length)
}

function readChunks(bytes: Buffer, start: number): { body: string; end: number } | undefined {
  const pieces: Buffer[] = []
  for (let at = start; ; ) {
    const line = bytes.indexOf('\r\n', at)
    if (line === -1) return undefined
    const size = Number.parseInt(bytes.toString('latin1', at, line), 16)
    if (bytes.length < line + size + 4) return undefined
    if (size === 0) return { body: Buffer.concat(pieces).toString('utf8'), end: line + 4 }
    pieces.push(bytes.subarray(line + 2, line + 2 + size))
    at = line + size + 4
  }
}
