import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Forwards connections to a server that can be replaced, as a proxy does that follows the primary of a database. */
export class Gateway {
  readonly port: number
  private readonly server: ReturnType<typeof createServer>
  private readonly sockets: Set<Socket>
  private target: number
  private isCut = false

  private constructor(server: ReturnType<typeof createServer>, target: number) {
    this.server = server
    this.target = target
    this.sockets = new Set()
    this.port = (server.address() as AddressInfo).port
    server.on('connection', (client) => this.forward(client))
  }

  /** Opens a gateway to a port of this machine. */
  static async open(target: number): Promise<Gateway> {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new Gateway(server, target)
  }

  /** Ends the connections to the previous server, and leads new ones to this port. */
  leadTo(target: number): void {
    if (this.target !== target) this.endConnections()
    this.target = target
  }

  /** Leads only new connections to this port, as a changed entry in DNS does. */
  leadNewConnectionsTo(target: number): void {
    this.target = target
  }

  /** Ends all connections and refuses new ones until `restore`. What is on its way is lost. */
  cut(): void {
    this.isCut = true
    this.endConnections()
  }

  restore(): void {
    this.isCut = false
  }

  close(): void {
    this.server.close()
    this.endConnections()
  }

  private endConnections(): void {
    for (const socket of this.sockets) socket.destroy()
  }

  private forward(client: Socket): void {
    if (this.isCut) return void client.destroy()
    const server = connect(this.target, '127.0.0.1')
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      this.sockets.add(from)
      from.setNoDelay(true)
      from.on('error', () => undefined)
      from.on('close', () => {
        this.sockets.delete(from)
        to.destroy()
      })
      from.pipe(to)
    }
  }
}
