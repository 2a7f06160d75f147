export function importForBundlers(name: 'jsonapi-vuex'): Promise<typeof import('jsonapi-vuex')>
