export const app = {}
export const port = 3000
