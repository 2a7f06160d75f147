import { useState } from 'preact/hooks'
import type { OutgoingRequest } from '../core/api-types'
import { useModel } from '../core/context'
import { toCurl } from '../core/curl'
import { CodeBlock } from '../parts/code-block'
import { SegmentedControl } from '../parts/segmented-control'
import { printRequestAsClientCode } from './client-code'
import { toFetchCode } from './fetch-code'

const FORMATS = ['curl', 'fetch', 'Typed client'] as const

/** A request as code to copy, without the values of credentials. */
export function CopyAs({ request }: { readonly request: OutgoingRequest }) {
  const model = useModel()
  const [format, setFormat] = useState<(typeof FORMATS)[number]>('curl')
  const codes = {
    curl: { label: 'curl command', print: () => toCurl(request) },
    fetch: { label: 'JavaScript', print: () => toFetchCode(request) },
    'Typed client': { label: 'TypeScript', print: () => printRequestAsClientCode(request, model) },
  }
  const { label, print } = codes[format]
  return (
    <div class="copy">
      <SegmentedControl label="Copy as" names={FORMATS} chosen={format} onChoose={setFormat} />
      <CodeBlock label={label} text={print()} />
    </div>
  )
}
