import 'reflect-metadata'
import { start } from '../start'
import { createApp } from './app'
import { createDataSource } from './data-source'
import { seed } from './seed'

start({ command: 'npm run example:blogs', port: 3001, createDataSource, seed, createApp, greeting })

function greeting(url: string): string {
  return `The blogs listen on ${url}. Three requests to try:

  Articles 11 to 20, with links to the pages around:
    curl -g '${url}/articles?page[size]=10&page[number]=2'

  All blogs, each with its articles 6 to 10, and of each article three revisions:
    curl -g '${url}/blogs?include=articles.revisions&page[size]=10,articles:5,articles.revisions:3&page[number]=1,articles:2'

  The articles that were revised most, without their bodies:
    curl -g '${url}/articles?sort=-count(revisions)&fields[articles]=title,publishedAt&page[size]=5'
`
}
