import { withBase } from 'vitepress'
import { defineComponent, h, onMounted, ref } from 'vue'

/** Draws a Mermaid diagram in the browser. Without scripts, readers see its text. */
export const Diagram = defineComponent({
  props: { text: { type: String, required: true } },
  setup(props) {
    const svg = ref('')
    onMounted(async () => {
      svg.value = await draw(decodeURIComponent(props.text))
    })
    return () =>
      svg.value === ''
        ? h('pre', { class: 'diagram' }, decodeURIComponent(props.text))
        : h('div', { class: 'diagram', innerHTML: svg.value })
  },
})

let drawn = 0

async function draw(text) {
  const mermaid = await loadMermaid()
  const theme = document.documentElement.classList.contains('dark') ? 'dark' : 'neutral'
  mermaid.initialize({ startOnLoad: false, securityLevel: 'strict', suppressErrorRendering: true, theme })
  drawn += 1
  return (await mermaid.render(`diagram-${drawn}`, text)).svg
}

let loading

/** Loads the bundle of Mermaid, which sets a global variable. */
function loadMermaid() {
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = withBase('/mermaid.js')
    script.onload = () => resolve(globalThis.mermaid)
    script.onerror = () => reject(new Error(`${script.src} could not be loaded.`))
    document.head.append(script)
  })
  return loading
}
