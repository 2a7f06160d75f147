import { defineComponent, h, onMounted, ref } from 'vue'

let drawn = 0

/** Draws a Mermaid diagram in the browser. Without scripts, readers see its text. */
export const Diagram = defineComponent({
  props: { text: { type: String, required: true } },
  setup(props) {
    const svg = ref('')
    onMounted(async () => {
      const { default: mermaid } = await import('mermaid')
      const theme = document.documentElement.classList.contains('dark') ? 'dark' : 'neutral'
      mermaid.initialize({ startOnLoad: false, securityLevel: 'strict', theme })
      drawn += 1
      svg.value = (await mermaid.render(`diagram-${drawn}`, decodeURIComponent(props.text))).svg
    })
    return () =>
      svg.value === ''
        ? h('pre', { class: 'diagram' }, decodeURIComponent(props.text))
        : h('div', { class: 'diagram', innerHTML: svg.value })
  },
})
