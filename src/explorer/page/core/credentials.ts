const STORED = 'stemma.headers'

/** The headers that the user entered, one per line. Stored until the tab is closed. */
export function savedHeaderText(): string {
  return sessionStorage.getItem(STORED) ?? ''
}

export function saveHeaderText(text: string): void {
  sessionStorage.setItem(STORED, text)
}

/** Returns the headers to add to each request, in lower case. */
export function requestHeaders(): Record<string, string> {
  const lines = savedHeaderText()
    .split('\n')
    .map((line) => line.split(/:(.*)/s))
  return Object.fromEntries(
    lines.flatMap(([name = '', value = '']) =>
      isHeaderName(name.trim()) ? [[name.trim().toLowerCase(), value.trim()]] : [],
    ),
  )
}

function isHeaderName(name: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(name)
}
