import type { ApiModel } from '../core/api-model'
import { CodeBlock } from '../parts/code-block'
import { Dialog } from '../parts/dialog'
import { toMermaid } from './mermaid'

/** The types as text, for documentation. */
export function MermaidDialog({ model, onClose }: { readonly model: ApiModel; readonly onClose: () => void }) {
  return (
    <Dialog title="Class diagram for Mermaid" onClose={onClose}>
      <CodeBlock label="class diagram" text={toMermaid(model)} />
    </Dialog>
  )
}
