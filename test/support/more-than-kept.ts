import { readFileSync } from 'node:fs'

/** Bytes that no system takes from a server for a client which does not read them. */
export const MORE_THAN_KEPT = Math.max(16_000_000, 3 * mostToSend())

/** https://docs.kernel.org/networking/ip-sysctl.html: what is kept for a client grows only as it reads. Elsewhere it is less than the least. */
function mostToSend(): number {
  try {
    const [, , most] = readFileSync('/proc/sys/net/ipv4/tcp_wmem', 'utf8').trim().split(/\s+/)
    return Number(most)
  } catch {
    return 0
  }
}
