// json-api-nestjs as its manual sets it up. It takes routes and types from the names of the classes.
const { others } = require('../packages')
const { createEntities } = require('../model/entities')
const { databaseOf, optionsOf } = require('../model/data-source')
const { PLACE, PORT } = require('./serve')

const PLURAL = {
  ...{ Author: 'Authors', Blog: 'Blogs', Article: 'Articles', Comment: 'Comments' },
  ...{ Human: 'Humans', Man: 'Men', Woman: 'Women' },
}

async function main() {
  others('reflect-metadata')
  const { Module } = others('@nestjs/common')
  const { NestFactory } = others('@nestjs/core')
  const { TypeOrmModule } = others('@nestjs/typeorm')
  const { JsonApiModule } = others('json-api-nestjs')
  const describe = (prototype, property, type) => Reflect.defineMetadata('design:type', type, prototype, property)
  const database = databaseOf(PLACE)
  const entities = Object.values(createEntities(others('typeorm'), { database, names: PLURAL, describe }))
  class AppModule {}
  Module({
    imports: [
      TypeOrmModule.forRoot({ ...optionsOf(PLACE), entities }),
      JsonApiModule.forRoot({ entities, options: { requiredSelectField: false, debug: false } }),
    ],
  })(AppModule)
  const app = await NestFactory.create(AppModule, { logger: ['error'] })
  await app.listen(PORT, '127.0.0.1')
  process.send?.('ready')
}

main()
