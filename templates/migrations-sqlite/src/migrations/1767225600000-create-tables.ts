import type { MigrationInterface, QueryRunner } from 'typeorm'

export class CreateTables1767225600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE "author" (
        "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL,
        "name" varchar(80) NOT NULL
      )
    `)
    await runner.query(`
      CREATE TABLE "publication" (
        "id" integer PRIMARY KEY AUTOINCREMENT NOT NULL,
        "title" varchar(120) NOT NULL,
        "pages" integer,
        "issue" integer,
        "kind" varchar NOT NULL,
        "authorId" integer,
        CONSTRAINT "FK_152fc564787a7fc0f5456ad7dff" FOREIGN KEY ("authorId") REFERENCES "author" ("id")
          ON DELETE SET NULL ON UPDATE NO ACTION
      )
    `)
    await runner.query('CREATE INDEX "IDX_152fc564787a7fc0f5456ad7df" ON "publication" ("authorId")')
    await runner.query('CREATE INDEX "IDX_b3435c5bb449432f0153a28399" ON "publication" ("kind")')
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE "publication"')
    await runner.query('DROP TABLE "author"')
  }
}
