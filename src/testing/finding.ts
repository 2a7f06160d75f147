import type { Finding } from './exchange'
import { REQUIREMENTS, type RequirementId } from './requirements'

/** The result of checks without findings. */
export const NOTHING: readonly Finding[] = []

export function inDocument(pointer: string, requirement: RequirementId, message: string): Finding {
  return { requirement, level: REQUIREMENTS[requirement].level, source: { pointer }, message }
}

export function inHeader(header: string, requirement: RequirementId, message: string): Finding {
  return { requirement, level: REQUIREMENTS[requirement].level, source: { header }, message }
}

/** `RO-4 at /data/id: Expected a string, found 1.` */
export function printFinding({ requirement, source, message }: Finding): string {
  const place = 'header' in source ? source.header : source.pointer === '' ? 'the document' : source.pointer
  return `${requirement} at ${place}: ${message} See ${REQUIREMENTS[requirement].section}`
}
