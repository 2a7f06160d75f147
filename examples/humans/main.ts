import 'reflect-metadata'
import { start } from '../start'
import { createApp } from './app'
import { createDataSource } from './data-source'
import { seed } from './seed'

start({ command: 'npm start', port: 3000, createDataSource, seed, createApp, greeting })

function greeting(url: string): string {
  return `The family listens on ${url}. Open it in a browser to look around. Four requests to try:

  Everybody, men and women, with their spouses:
    curl -g '${url}/humans?include=wife,husband'

  The women who had another name, by that name:
    curl -g '${url}/humans?filter=isType(,women,not(equals(maidenName,null)))&sort=maidenName'

  A rule says no: a man's best friend must be a man, and 2 is a woman.
    curl -g -X PATCH '${url}/humans/1/relationships/bestFriend' -H 'Content-Type: application/vnd.api+json' \\
      -d '{ "data": { "type": "humans", "id": "2" } }'

  A mother and her son, both or neither:
    curl -g '${url}/operations' -H 'Content-Type: application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"' \\
      -d '{ "atomic:operations": [
        { "op": "add", "data": { "type": "women", "lid": "a", "attributes": { "name": "Mia", "maidenName": "May" } } },
        { "op": "add", "data": { "type": "men", "attributes": { "name": "Max" },
          "relationships": { "mother": { "data": { "type": "women", "lid": "a" } } } } }
      ] }'
`
}
