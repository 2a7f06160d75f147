import { createToken } from './authentication'

// Prints a token for development: `npm run token -- ada editor`.
const [name = 'ada', ...roles] = process.argv.slice(2)
console.log(createToken({ name, roles }))
