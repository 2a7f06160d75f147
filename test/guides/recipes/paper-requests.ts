// Requests that would reveal rows called 'Secret' if nothing hid them.

const RELATED = [
  ...['/folders/1/documents', '/folders/1/folders', '/folders/1/cover', '/folders/2/documents', '/folders/3/parent'],
  ...['/documents/1/mentions', '/documents/3/mentionedBy', '/documents/1/invoices', '/letters/1/invoices'],
  ...['/documents/3/letter', '/invoices/3/letter', '/documents/5/folder', '/letters/5/folder', '/documents/2/folder'],
]

const INCLUDES = [
  ...['/folders/1?include=documents', '/folders/1?include=documents.mentions', '/folders/1?include=documents.letter'],
  ...['/folders/1?include=cover&fields[folders]=cover', '/folders/3?include=parent.documents'],
  ...['/folders/3?include=cover.invoices', '/letters/1?include=invoices', '/documents/1?include=mentions.mentions'],
  ...['/documents/3?include=letter.folder', '/folders/1/documents?include=mentionedBy&fields[documents]=mentionedBy'],
  '/folders/1/relationships/documents?include=documents.mentions',
]

/** Filters that match rows by their relations to hidden rows. */
const FILTERS = [
  ['folders', "has(documents,startsWith(title,'Secret'))"],
  ['folders', "has(documents,has(mentions,startsWith(title,'Secret')))"],
  ['folders', 'has(folders)'],
  ['folders', 'not(has(folders))'],
  ['documents', "has(mentions,startsWith(title,'Secret'))"],
  ['documents', "has(mentionedBy,startsWith(title,'Secret'))"],
  ['letters', 'has(invoices)'],
  ['folders', "greaterThan(count(documents),'3')"],
  ['documents', "equals(count(mentions),'2')"],
  ['documents', "equals(count(folder.folders),'1')"],
  ['folders', 'isType(cover,invoices)'],
  ['folders', "isType(cover,invoices,startsWith(title,'Secret'))"],
  ['documents', "isType(,invoices,startsWith(letter.title,'Secret'))"],
  ['documents', "equals(folder.name,'Secret')"],
  ['documents', "equals(folder.cover.title,'Secret ink')"],
  ['folders', "equals(cover.title,'Secret ink')"],
  ['folders', "equals(parent.name,'Secret')"],
  ['folders', 'equals(parent,null)'],
  ['folders', 'not(equals(cover,null))'],
  ['invoices', 'equals(letter,null)'],
] as const

const SORTS = [
  ...["/folders?filter=any(id,'1','3')&sort=cover.title", "/folders?filter=any(id,'1','3')&sort=-parent.name"],
  ...["/folders?filter=any(id,'1','3')&sort=-count(documents)", "/documents?filter=any(id,'1','5')&sort=-folder.name"],
  "/documents?filter=any(id,'1','3')&sort=invoices:letter.title,-title",
  "/documents?filter=any(id,'1','6')&sort=-count(mentionedBy),-id",
]

export const READS: readonly string[] = [
  ...['/folders', '/documents', '/letters', '/invoices'],
  ...['/folders/2', '/documents/2', '/letters/2', '/documents/4', '/invoices/4'],
  ...RELATED,
  ...RELATED.map((path) => path.replace(/\w+$/, 'relationships/$&')),
  ...INCLUDES,
  ...FILTERS.map(([type, filter]) => `/${type}?filter=${filter}`),
  ...SORTS,
  ...['/documents', '/folders/1/documents', '/folders/1/relationships/documents'].map((path) => `${path}?page[size]=1`),
  ...['/documents?page[size]=1&page[number]=7', '/documents?fields[documents]=id', '/letters/2/folder'],
]

export const CURSOR_WALKS: readonly string[] = [
  ...['/documents?page[size]=1', '/documents?page[size]=1&sort=-title', '/documents?page[size]=2&sort=folder.name'],
  '/folders/1/documents?page[size]=1',
]

const folder = (id: string) => ({ type: 'folders', id })
const letter = (id: string) => ({ type: 'letters', id })
const invoice = (id: string) => ({ type: 'invoices', id })
const document = (id: string) => ({ type: 'documents', id })
const newInvoice = (letterId: string) => {
  return { type: 'invoices', attributes: { title: 'New' }, relationships: { letter: { data: letter(letterId) } } }
}
const NEW_FOLDER = {
  type: 'folders',
  attributes: { name: 'New' },
  relationships: { documents: { data: [letter('2')] } },
}

/** Sent in this order. Hidden rows and their links do not change. */
export const WRITES: readonly (readonly [method: string, path: string, data: unknown, status: number])[] = [
  ['PATCH', '/documents/2', { ...letter('2'), attributes: { title: 'Found' } }, 404],
  ['PATCH', '/letters/2', letter('2'), 404],
  ['PATCH', '/documents/2', invoice('2'), 404],
  ['PATCH', '/folders/2', { ...folder('2'), relationships: { documents: { data: [] } } }, 404],
  ['DELETE', '/documents/2', undefined, 404],
  ['DELETE', '/letters/2', undefined, 404],
  ['DELETE', '/invoices/4', undefined, 404],
  ['PATCH', '/documents/2/relationships/folder', null, 404],
  ['PATCH', '/invoices/4/relationships/letter', letter('1'), 404],
  ['POST', '/folders/2/relationships/documents', [letter('1')], 404],
  ['DELETE', '/folders/2/relationships/documents', [letter('5')], 404],
  // Linking to hidden rows.
  ['PATCH', '/documents/1/relationships/folder', folder('2'), 404],
  ['PATCH', '/folders/1/relationships/cover', document('4'), 404],
  ['PATCH', '/folders/1/relationships/cover', invoice('4'), 404],
  ['POST', '/folders/3/relationships/documents', [document('2'), letter('1')], 404],
  ['PATCH', '/folders/3/relationships/documents', [letter('2'), invoice('4')], 404],
  ['POST', '/documents/5/relationships/mentions', [document('2')], 404],
  ['PATCH', '/documents/1/relationships/mentions', [invoice('3'), letter('2')], 404],
  ['PATCH', '/documents/1', { ...letter('1'), relationships: { folder: { data: folder('2') } } }, 404],
  ['POST', '/folders', NEW_FOLDER, 404],
  ['POST', '/documents', newInvoice('2'), 404],
  // Unlinking hidden rows, which are no members.
  ['DELETE', '/folders/1/relationships/documents', [document('2'), invoice('4')], 204],
  ['DELETE', '/documents/1/relationships/mentions', [letter('2')], 204],
  ['PATCH', '/folders/1/relationships/folders', [folder('3')], 204],
  ['PATCH', '/folders/1/relationships/documents', [letter('1')], 204],
  ['PATCH', '/documents/1/relationships/mentions', [letter('6')], 204],
  ['PATCH', '/documents/3/relationships/mentionedBy', [], 204],
  ['PATCH', '/letters/1', { ...letter('1'), relationships: { invoices: { data: [] }, mentions: { data: [] } } }, 204],
  // A row that is linked to a hidden row can be linked to another.
  ['PATCH', '/invoices/3/relationships/letter', letter('1'), 204],
  ['PATCH', '/folders/3', { ...folder('3'), relationships: { parent: { data: null } } }, 204],
  ['POST', '/documents', newInvoice('1'), 201],
  ['DELETE', '/documents/6', undefined, 204],
]
