import { assetUrlPath } from './assets'

/** Returns the HTML, which is the same for every URL: the page fetches its data itself. `base`: the path under which the API is mounted. */
export function explorerPageText(base: string): string {
  const url = (name: string) => toAttribute(base + assetUrlPath(name))
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Explorer</title>
<link rel="icon" href="${url('icon.svg')}">
<link rel="stylesheet" href="${url('page.css')}">
<script type="module" src="${url('main.mjs')}"></script>
</head>
<body>
<noscript>This page asks the API with JavaScript. Without it, ask for application/vnd.api+json.</noscript>
</body>
</html>
`
}

/** Allows only the page's own files, whatever the data contains. `require-trusted-types-for` forbids turning text into HTML. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
]

export const EXPLORER_PAGE_HEADERS = {
  'cache-control': 'no-cache',
  'content-security-policy': POLICY.join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'same-origin',
  vary: 'Accept',
  'x-content-type-options': 'nosniff',
} as const

/** The only characters of a URL path with a meaning in an attribute. */
function toAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
}
