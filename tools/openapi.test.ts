import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import { createDocuments } from './openapi-documents'

const ROOT = join(__dirname, '..')
const BUILD = join(ROOT, 'build', 'tools')
const NAMES = ['humans', 'blogs', 'vehicles'] as const

const documents = new Map<string, Record<string, unknown>>()
beforeAll(async () => {
  rmSync(BUILD, { recursive: true, force: true })
  mkdirSync(BUILD, { recursive: true })
  for (const [name, document] of await createDocuments()) {
    documents.set(name, { ...document })
    writeFileSync(join(BUILD, `${name}.json`), JSON.stringify(document))
  }
})

function documentOf(name: string): Record<string, unknown> {
  return documents.get(name) ?? {}
}

describe.each(NAMES)('the OpenAPI document of %s', (name) => {
  it('matches the OpenAPI schema', async () => {
    expect(await new Validator().validate(structuredClone(documentOf(name)))).toEqual({ valid: true })
  })

  it('passes the rules of Redocly', async () => {
    expect(await lint(name, documentOf(name))).toEqual([])
  })

  it('can be converted to TypeScript types', () => {
    run('openapi-typescript', [join(BUILD, `${name}.json`), '--output', join(BUILD, `${name}.d.ts`)])
  })
})

/** Rules in addition to those of the specification. */
const RULES = {
  'no-invalid-schema-examples': 'error',
  'no-unused-components': 'error',
  'operation-operationId': 'error',
  'operation-operationId-unique': 'error',
  'operation-summary': 'error',
  'no-ambiguous-paths': 'error',
  'path-parameters-defined': 'error',
  'no-identical-paths': 'error',
  'no-enum-type-mismatch': 'error',
  'no-unresolved-refs': 'error',
} as const

it('generates types that compile, narrow by type, and reject invalid documents', () => {
  writeFileSync(join(BUILD, 'tsconfig.json'), JSON.stringify({ compilerOptions: COMPILER, files: [NARROWING] }))
  run('tsc', ['--project', BUILD])
})

it('is checked by tools that detect errors', async () => {
  const broken = { openapi: '3.1.1', info: { title: 'x', version: '1' }, paths: { '/men': { get: { responses: 5 } } } }
  expect(await new Validator().validate(broken)).toMatchObject({ valid: false })
  expect(await lint('broken', broken)).not.toEqual([])
})

async function lint(name: string, document: object): Promise<readonly unknown[]> {
  const config = await createConfig({ extends: ['spec'], rules: RULES })
  const problems = await lintFromString({ source: JSON.stringify(document), config, absoluteRef: `${name}.json` })
  return problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])
}

const NARROWING = join(__dirname, 'types', 'narrowing.ts')
const COMPILER = {
  strict: true,
  noEmit: true,
  exactOptionalPropertyTypes: true,
  moduleResolution: 'bundler',
  module: 'esnext',
  types: [],
}

/** Runs a tool. If it fails, the error contains its output. */
function run(tool: string, args: readonly string[]): void {
  const bin = join(__dirname, 'node_modules', '.bin', tool)
  try {
    execFileSync(bin, args, { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' })
  } catch (error) {
    const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string }
    throw new Error(`${tool}: ${stdout}${stderr}`)
  }
}
