import { connect } from 'node:net'

/** What is sent, as it goes over the wire; `Host` and `Connection` are added. */
export interface RawRequest {
  readonly line: string
  readonly headers?: readonly string[]
  readonly body?: string | Uint8Array
}

/** The whole answer, as it came over the wire, but for what differs from one second to the next. */
export async function sendRaw(url: string, { line, headers = [], body = '' }: RawRequest): Promise<string> {
  const { hostname, port } = new URL(url)
  const head = [`${line} HTTP/1.1`, 'Host: api.example.com', 'Connection: close', ...headers].join('\r\n')
  const socket = connect(Number(port), hostname)
  socket.write(Buffer.concat([Buffer.from(`${head}\r\n\r\n`), Buffer.from(body)]))
  const pieces: Buffer[] = []
  for await (const piece of socket) pieces.push(piece)
  return Buffer.concat(pieces)
    .toString()
    .replace(/^Date: .*\r\n/m, '')
}
