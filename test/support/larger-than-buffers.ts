import { readFileSync } from 'node:fs'

/** More bytes than the socket buffers hold for a client that does not read. */
export const LARGER_THAN_BUFFERS = Math.max(16_000_000, 3 * maxSendBuffer())

/** https://docs.kernel.org/networking/ip-sysctl.html: the buffer grows only while the client reads. Other systems have smaller buffers. */
function maxSendBuffer(): number {
  try {
    const [, , max] = readFileSync('/proc/sys/net/ipv4/tcp_wmem', 'utf8').trim().split(/\s+/)
    return Number(max)
  } catch {
    return 0
  }
}
