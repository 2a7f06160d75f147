/** `Date` takes February 30 for March 1: a date that comes back as another is none. No database has a year 0. */
export function isDate(text: string): boolean {
  if (!DATE.test(text) || text.startsWith('0000')) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

const DATE = /^\d{4}-\d{2}-\d{2}$/
