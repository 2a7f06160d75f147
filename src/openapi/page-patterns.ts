/** Returns the pattern of the pages of included resources: `children:3,children.pets:1`. */
export function includedPathNumberListPattern(): string {
  return `^${INCLUDED}(,${INCLUDED})*$`
}

/** Returns the pattern of the pages of a list and of included resources: `10,children:3`. The page of the list stands anywhere, at most once. */
export function primaryAndIncludedPageValuePattern(maximum: number | null): string {
  const primary = numberPattern(maximum)
  return `^(${primary},)?${INCLUDED}(,${INCLUDED})*$|^${INCLUDED}(,${INCLUDED})*,${primary}(,${INCLUDED})*$`
}

/** Returns the pattern of the integers from 1 to a maximum, with leading zeros. */
function numberPattern(maximum: number | null): string {
  if (maximum === null) return ANY_NUMBER
  const digits = String(maximum)
  const sameLength = [...digits].flatMap((digit, index) => {
    const [first, last] = [index === 0 ? 1 : 0, Number(digit) - 1]
    return last < first ? [] : [`${digits.slice(0, index)}[${first}-${last}]${anyDigits(digits.length - index - 1)}`]
  })
  const shorter = digits.length === 1 ? [] : [`[1-9]\\d{0,${digits.length - 2}}`]
  return `0*(${[...shorter, ...sameLength, digits].join('|')})`
}

function anyDigits(count: number): string {
  return count === 0 ? '' : `\\d{${count}}`
}

/** Of at most as many digits as the largest safe integer. Its exact limit would make the patterns unreadable. */
const ANY_NUMBER = '0*[1-9]\\d{0,15}'
const NAME = '[^,.: ]+'
const INCLUDED = `${NAME}([.:]${NAME})*:${ANY_NUMBER}`
