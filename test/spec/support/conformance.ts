import type { Section } from '../requirements/requirements'
import { requirementsOf } from './named-ids'

/** The result of a test in the format of Jest. */
export interface TestResult {
  readonly title: string
  readonly ancestorTitles: readonly string[]
  readonly status: string
}

export interface Reasons {
  readonly leftOut: Readonly<Record<string, string>>
  readonly byDesign: Readonly<Record<string, string>>
  readonly deviations: Readonly<Record<string, string>>
}

export interface Report {
  /** To be read by people. */
  readonly lines: readonly string[]
  /** Ids that nothing speaks for, tests that failed, names that mean nothing. */
  readonly mistakes: readonly string[]
}

/** How many of the requirements have a test that passes. */
export function reportOf(sections: readonly Section[], results: readonly TestResult[], reasons: Reasons): Report {
  const verdicts = verdictsOf(results)
  const known = new Set(sections.flatMap(({ requirements }) => requirements.map(({ id }) => id)))
  const { leftOut, byDesign, deviations } = reasons
  const unmet = [...known].filter((id) => !verdicts.has(id) && !(id in leftOut) && !(id in byDesign))
  return {
    lines: [...sections, { title: 'In all', requirements: sections.flatMap(({ requirements }) => requirements) }]
      .map((section) => shareOf(section, verdicts, reasons))
      .concat(listOf('Left out', leftOut), listOf('By design', byDesign), listOf('Deviations', deviations)),
    mistakes: [
      ...unmet.map((id) => `${id} has neither a test nor a reason.`),
      ...[...verdicts].filter(([, verdict]) => verdict !== 'passed').map(([id, verdict]) => `${id} has ${verdict}.`),
      ...[...verdicts.keys(), ...Object.keys(leftOut), ...Object.keys(byDesign)]
        .filter((id) => !known.has(id))
        .map((id) => `${id} is no requirement.`),
      ...[...Object.keys(leftOut), ...Object.keys(byDesign)]
        .filter((id) => verdicts.has(id))
        .map((id) => `${id} has a test, and a reason for having none.`),
    ],
  }
}

/** By id what has become of its tests; one that did not pass is enough. */
function verdictsOf(results: readonly TestResult[]): ReadonlyMap<string, string> {
  const verdicts = new Map<string, string>()
  for (const { title, ancestorTitles, status } of results) {
    for (const id of [...ancestorTitles, title].flatMap(requirementsOf))
      if (status !== 'passed' || !verdicts.has(id)) verdicts.set(id, status)
  }
  return verdicts
}

function shareOf({ title, requirements }: Section, verdicts: ReadonlyMap<string, string>, reasons: Reasons): string {
  const count = (test: (id: string) => boolean) => requirements.filter(({ id }) => test(id)).length
  const passed = count((id) => verdicts.get(id) === 'passed')
  const applying = count((id) => !(id in reasons.byDesign))
  const countIn = (ids: object) => count((id) => id in ids)
  const notes = [...counted(countIn(reasons.leftOut), 'left out'), ...counted(countIn(reasons.byDesign), 'by design')]
  const share = applying === 0 ? '     ' : `${Math.floor((passed / applying) * 100)} %`.padStart(5)
  return `${title.padEnd(36)} ${`${passed} of ${applying}`.padStart(10)} ${share}  ${notes.join(', ')}`.trimEnd()
}

function counted(count: number, what: string): readonly string[] {
  return count === 0 ? [] : [`${count} ${what}`]
}

function listOf(heading: string, reasons: Readonly<Record<string, string>>): readonly string[] {
  return ['', `${heading}:`, ...Object.entries(reasons).map(([id, reason]) => `  ${id.padEnd(5)} ${reason}`)]
}
