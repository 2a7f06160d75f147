import { CopyButton } from './copy-button'

interface CodeBlockProps {
  /** `curl command` */
  readonly label: string
  readonly text: string
}

/** Code with a button to copy it. */
export function CodeBlock({ label, text }: CodeBlockProps) {
  return (
    <section class="code-block" aria-label={label}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area needs the focus to be scrolled with keys. */}
      <pre tabIndex={0}>{text}</pre>
      <CopyButton label={label} text={text} />
    </section>
  )
}
