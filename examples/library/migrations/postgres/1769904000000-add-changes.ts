import type { MigrationInterface, QueryRunner } from 'typeorm'

export class AddChanges1769904000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE "change" (
        "id" SERIAL NOT NULL,
        "tenant" varchar(20) NOT NULL,
        "at" varchar(24) NOT NULL,
        "memberId" varchar(20) NOT NULL,
        "what" varchar(200) NOT NULL,
        "details" text NOT NULL,
        CONSTRAINT "PK_38168d337b66a2d98e059fe5820" PRIMARY KEY ("id")
      )
    `)
    await runner.query('CREATE INDEX "IDX_66acffb85d9e088f14354b5419" ON "change" ("tenant")')
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE "change"')
  }
}
