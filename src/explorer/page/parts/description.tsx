/** A description of the API. Its code is in backticks, as in Markdown. */
export function Description({ text = '' }: { readonly text?: string | undefined }) {
  return <>{text.split(/`([^`]+)`/).map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part))}</>
}
