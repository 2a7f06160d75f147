// json-api-nestjs, set up as in its manual. It derives routes and types from the class names.
const { requireOfBench } = require('../packages')
const { createEntities } = require('../model/entities')
const { databaseOf, optionsOf } = require('../model/data-source')
const { DATABASE, PORT } = require('./serve')

const PLURAL = {
  ...{ Author: 'Authors', Blog: 'Blogs', Article: 'Articles', Comment: 'Comments' },
  ...{ Human: 'Humans', Man: 'Men', Woman: 'Women' },
}

async function main() {
  requireOfBench('reflect-metadata')
  const { Module } = requireOfBench('@nestjs/common')
  const { NestFactory } = requireOfBench('@nestjs/core')
  const { TypeOrmModule } = requireOfBench('@nestjs/typeorm')
  const { JsonApiModule } = requireOfBench('json-api-nestjs')
  const describe = (prototype, property, type) => Reflect.defineMetadata('design:type', type, prototype, property)
  const database = databaseOf(DATABASE)
  const entities = Object.values(createEntities(requireOfBench('typeorm'), { database, names: PLURAL, describe }))
  class AppModule {}
  Module({
    imports: [
      TypeOrmModule.forRoot({ ...optionsOf(DATABASE), entities }),
      JsonApiModule.forRoot({ entities, options: { requiredSelectField: false, debug: false } }),
    ],
  })(AppModule)
  const app = await NestFactory.create(AppModule, { logger: ['error'] })
  await app.listen(PORT, '127.0.0.1')
  process.send?.('ready')
}

main()
