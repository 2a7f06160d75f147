import type { Client } from '../authentication'

// What tests send. Ids are those of seed.ts: in ashford, members 1 to 3, items 1 to 6, copies 1 to 12; in brookdale the following ones.

export const LENA: Client = { tenant: 'ashford', memberId: '1', role: 'librarian' }
export const ADA: Client = { tenant: 'ashford', memberId: '2', role: 'member' }
export const BEN: Client = { tenant: 'ashford', memberId: '3', role: 'member' }
export const LENA_OF_BROOKDALE: Client = { tenant: 'brookdale', memberId: '4', role: 'librarian' }

export function loanOf(copy: string, member: string) {
  return documentOf('loans', {}, { copy: ['copies', copy], member: ['members', member] })
}

export function reservationOf(item: string, member: string, type = 'books') {
  return documentOf('reservations', {}, { item: [type, item], member: ['members', member] })
}

export function documentOf(
  type: string,
  attributes: object,
  related: Readonly<Record<string, readonly [string, string]>> = {},
) {
  const links = Object.entries(related).map(([name, [type, id]]) => [name, { data: { type, id } }])
  return { data: { type, attributes, relationships: Object.fromEntries(links) } }
}

export function changeOf(type: string, id: string, attributes: object) {
  return { data: { type, id, attributes } }
}
