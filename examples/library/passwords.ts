import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derive: (password: string, salt: string, length: number) => Promise<Buffer> = promisify(scrypt)

/** Returns a salt and the hash: `9f2c….7d01…`. */
export async function hashPassword(password: string, salt = randomBytes(16).toString('hex')): Promise<string> {
  return `${salt}.${(await derive(password, salt, 32)).toString('hex')}`
}

export async function isPassword(password: string, stored: string): Promise<boolean> {
  const [salt] = stored.split('.')
  return timingSafeEqual(Buffer.from(await hashPassword(password, salt)), Buffer.from(stored))
}
