import { DOCUMENTS } from './documents'
import { EXTENSIONS } from './extensions'
import { FETCHING } from './fetching'
import { REQUESTS } from './requests'
import type { Requirement, Section } from './section'
import { WRITING } from './writing'

/** What JSON:API 1.1, Atomic Operations and Cursor Pagination ask of a server, each with an id. */
export const SECTIONS: readonly Section[] = [...DOCUMENTS, ...FETCHING, ...WRITING, ...REQUESTS, ...EXTENSIONS]

export const REQUIREMENTS: readonly Requirement[] = SECTIONS.flatMap(({ requirements }) => requirements)
