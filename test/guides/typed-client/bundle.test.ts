import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

const ROOT = join(__dirname, '..', '..', '..')

/** In bytes, compressed. */
const LARGEST = 8 * 1024

function bundle(format: 'esm' | 'iife') {
  return build({
    entryPoints: [join(ROOT, 'src', 'client.ts')],
    bundle: true,
    minify: true,
    platform: 'browser',
    target: 'es2022',
    format,
    globalName: 'client',
    metafile: true,
    write: false,
    logLevel: 'silent',
  })
}

describe('the client in a bundle for browsers', () => {
  it('contains only src/client, imports nothing, and has at most 8 kB, compressed', async () => {
    const { metafile, outputFiles } = await bundle('esm')
    const inputs = Object.keys(metafile.inputs)
    expect(inputs.length).toBeGreaterThan(5)
    expect(inputs.filter((path) => !/src\/client(\.ts|\/[\w-]+\.ts)$/.test(path))).toEqual([])
    expect(Object.values(metafile.outputs).flatMap(({ imports }) => imports)).toEqual([])
    expect(outputFiles[0]?.text).not.toMatch(/\brequire\(|\bimport\(|\bprocess\.|\bBuffer\b/)
    const size = gzipSync(outputFiles[0]?.contents ?? '').length
    expect(size).toBeGreaterThan(1024)
    expect(size).toBeLessThan(LARGEST)
  })

  it('runs with the globals of browsers, and uses their fetch by default', async () => {
    const { outputFiles } = await bundle('iife')
    const asked: string[] = []
    const fetch = async (url: string) => {
      asked.push(url)
      const document = { data: [{ type: 'notes', id: '1', attributes: { title: 'Trees' } }], links: { next: null } }
      return new Response(JSON.stringify(document))
    }
    const page = `client.createClient({ baseUrl: '/api' }).list('notes', { filter: client.equals('title', 'Trees') })`
    const { data } = await runInNewContext(`${outputFiles[0]?.text};${page}`, { fetch, URL, URLSearchParams })
    expect(JSON.parse(JSON.stringify(data))).toEqual([{ type: 'notes', id: '1', title: 'Trees' }])
    expect(asked).toEqual(['/api/notes?filter=equals%28title%2C%27Trees%27%29'])
  })
})
