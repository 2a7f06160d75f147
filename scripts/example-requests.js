// The requests that scripts/compare-examples.js sends to the example, in this order: `[status, method, path, body, headers]`, with the
// expected status. `if-match: last` stands for the ETag of the previous response, the path `next` for its `next` link.
//
// Two cases are left out because databases differ: ids after a rolled-back write (only SQLite reuses them), and invalid ids in a filter
// (the message contains the range of integers, which is larger on SQLite).
const JSON_API_MEDIA_TYPE = 'application/vnd.api+json'
const ATOMIC = `${JSON_API_MEDIA_TYPE};ext="https://jsonapi.org/ext/atomic"`
const CURSORS = {
  accept: `${JSON_API_MEDIA_TYPE};profile="https://jsonapi.org/profiles/ethanresnick/cursor-pagination"`,
}

const man = (id, attributes) => ({ data: { type: 'men', id, attributes } })
const woman = (id, attributes) => ({ data: { type: 'women', id, attributes } })
const one = (type, id) => ({ data: { type, id } })
const many = (...ids) => ({ data: ids.map((id) => ({ type: 'humans', id })) })
const operate = (...operations) => ({ 'atomic:operations': operations })

const READS = [
  [200, 'GET', '/humans'],
  [200, 'HEAD', '/humans'],
  [200, 'GET', '/men?page[size]=100'],
  [200, 'GET', '/women/2'],
  [200, 'GET', '/humans/1?include=wife,husband,bestFriend,children.mother'],
  [200, 'GET', '/humans?include=father.bestFriend,mother&fields[men]=name&fields[women]=name,maidenName,husband'],
  [200, 'GET', '/humans?fields[humans]=name'],
  [200, 'GET', '/humans?sort=name'],
  [200, 'GET', '/humans?sort=-maidenName,name'],
  [200, 'GET', '/humans?sort=father.name,-id'],
  [200, 'GET', '/humans?sort=-count(children),name'],
  [200, 'GET', '/humans?sort=hasBeard,-name&page[size]=5&page[number]=2'],
  [200, 'GET', '/humans?page[size]=4&page[number]=3'],
  [200, 'GET', '/humans?page[size]=4&page[number]=9'],
  [200, 'GET', '/humans?page[size]=5&sort=-maidenName,name', undefined, CURSORS],
  [200, 'GET', 'next', undefined, CURSORS],
  [200, 'GET', 'next', undefined, CURSORS],
  [200, 'GET', "/humans?filter=equals(name,'Greta')"],
  [200, 'GET', "/humans?filter=equals(name,'greta')"],
  [200, 'GET', '/humans?filter=equals(father,null)'],
  [200, 'GET', '/women?filter=equals(maidenName,null)'],
  [200, 'GET', "/humans?filter=any(name,'Arthur','Karen','Unknown')"],
  [200, 'GET', "/humans?filter=not(equals(father.name,'Arthur'))"],
  [200, 'GET', "/humans?filter=and(greaterThan(id,'3'),lessOrEqual(id,'9'))"],
  [200, 'GET', "/humans?filter=or(lessThan(name,'B'),greaterOrEqual(name,'K'))"],
  [200, 'GET', "/humans?filter=contains(name,'r')"],
  [200, 'GET', "/humans?filter=startsWith(name,'Ka')"],
  [200, 'GET', "/humans?filter=endsWith(name,'a')"],
  [200, 'GET', "/humans?filter=contains(name,'%25')"],
  [200, 'GET', '/humans?filter=has(children)'],
  [200, 'GET', "/humans?filter=has(children,isType(,women,equals(maidenName,'Carter')))"],
  [200, 'GET', "/humans?filter=greaterThan(count(children),'1')"],
  [200, 'GET', "/humans?filter=equals(has(children),'false')"],
  [200, 'GET', "/humans?filter=isType(bestFriend,men,equals(hasBeard,'true'))"],
  [200, 'GET', '/humans?filter=isType(,women)&sort=-name'],
  [200, 'GET', '/humans?include=children&filter[children]=isType(,men)&sort[children]=-name&page[size]=5,children:1'],
  [200, 'GET', '/men/1/wife'],
  [200, 'GET', '/humans/12/father'],
  [200, 'GET', '/humans/1/children?sort=-name'],
  [200, 'GET', '/humans/1/relationships/children'],
  [200, 'GET', '/women/2/relationships/husband?include=husband'],
]

const MISTAKES = [
  [404, 'GET', '/humans/99'],
  [404, 'GET', '/men/2'],
  [404, 'GET', '/people'],
  [405, 'PUT', '/humans/1'],
  [406, 'GET', '/humans', undefined, { accept: `${JSON_API_MEDIA_TYPE};charset=utf-8` }],
  [400, 'GET', "/humans?filter=equals(nam,'Greta')"],
  [400, 'GET', "/humans?filter=equals(name,'Greta'"],
  [400, 'GET', '/humans?sort=size'],
  [400, 'GET', '/humans?include=uncle'],
  [400, 'GET', '/humans?page[size]=0&page[number]=x'],
  [400, 'GET', "/men?filter=equals(hasBeard,'perhaps')"],
  [404, 'GET', '/humans/3000000000'],
  [404, 'GET', '/humans/many'],
  [415, 'POST', '/men', man(undefined, { name: 'Max' }), { 'content-type': 'application/json' }],
  [400, 'POST', '/men', { data: [] }],
  [409, 'POST', '/men', woman(undefined, { name: 'Mia' })],
  [403, 'POST', '/men', man('500', { name: 'Max' })],
  [422, 'POST', '/men', man(undefined, { name: 'x'.repeat(81), beard: true })],
]

const WRITES = [
  [201, 'POST', '/humans', man(undefined, { name: 'Max' })],
  [
    201,
    'POST',
    '/women?include=children',
    {
      data: {
        ...woman(undefined, { name: 'Zoë', maidenName: "O'Hara" }).data,
        relationships: {
          children: { data: [one('men', '13').data, one('men', '9').data] },
          bestFriend: one('women', '2'),
        },
      },
    },
  ],
  [200, 'GET', '/women/14?include=bestFriend,children'],
  [204, 'PATCH', '/humans/13', man('13', { name: 'Maximilian' })],
  [200, 'GET', '/men/13'],
  [412, 'PATCH', '/men/13', man('13', { name: 'No' }), { 'if-match': '"another"' }],
  [200, 'GET', '/men/13'],
  [204, 'PATCH', '/men/13', man('13', { name: 'Maxim' }), { 'if-match': 'last' }],
  [422, 'PATCH', '/humans/13', man('13', { hasBeard: true })],
  [422, 'PATCH', '/humans/13/relationships/bestFriend', one('humans', '2')],
  [422, 'PATCH', '/women/2/relationships/husband', { data: null }],
  [422, 'POST', '/women', woman(undefined, { name: 'Nora' })],
  [409, 'PATCH', '/humans/13', woman('13', { name: 'Mia' })],
  [204, 'PATCH', '/humans/13/relationships/bestFriend', one('humans', '9')],
  [204, 'POST', '/humans/13/relationships/children', many('1', '2', '3')],
  [204, 'DELETE', '/humans/13/relationships/children', many('2')],
  [204, 'PATCH', '/women/14/relationships/children', many('13')],
  [404, 'POST', '/humans/13/relationships/children', many('99')],
  [200, 'GET', "/humans?filter=has(children,equals(id,'13'))&include=children"],
  [
    200,
    'POST',
    '/operations',
    operate(
      { op: 'add', data: { type: 'women', lid: 'a', attributes: { name: 'Mia', maidenName: 'May' } } },
      {
        op: 'add',
        data: {
          type: 'men',
          attributes: { name: 'Moritz' },
          relationships: { mother: { data: { type: 'women', lid: 'a' } } },
        },
      },
      { op: 'update', ref: { type: 'men', id: '13', relationship: 'wife' }, data: { type: 'women', lid: 'a' } },
    ),
  ],
  [204, 'DELETE', '/humans/1'],
  [404, 'DELETE', '/humans/1'],
  [
    422,
    'POST',
    '/operations',
    operate(
      { op: 'add', data: { type: 'women', attributes: { name: 'Gone', maidenName: 'Away' } } },
      { op: 'add', data: { type: 'men', attributes: { name: 'Bearded', hasBeard: true } } },
    ),
  ],
  [200, 'GET', '/humans?include=children,father,mother,wife,husband,bestFriend&page[size]=100'],
]

exports.REQUESTS = [...READS, ...MISTAKES, ...WRITES].map(([status, method, path, body, headers]) => ({
  status,
  method,
  path,
  headers: {
    accept: JSON_API_MEDIA_TYPE,
    ...(body !== undefined && { 'content-type': path === '/operations' ? ATOMIC : JSON_API_MEDIA_TYPE }),
    ...(path === '/operations' && { accept: ATOMIC }),
    ...headers,
  },
  body: body && JSON.stringify(body),
}))
