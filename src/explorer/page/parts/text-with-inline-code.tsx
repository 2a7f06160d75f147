/** A paragraph with a description, if there is one. */
export function DescriptionParagraph({
  text,
  class: name,
}: {
  readonly text: string | undefined
  readonly class?: string
}) {
  return text === undefined ? null : (
    <p class={name}>
      <TextWithInlineCode text={text} />
    </p>
  )
}

/** A text, such as a description of the API. Its code is in backticks, as in Markdown. */
export function TextWithInlineCode({ text = '' }: { readonly text?: string | undefined }) {
  return <>{text.split(/`([^`]+)`/).map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part))}</>
}
