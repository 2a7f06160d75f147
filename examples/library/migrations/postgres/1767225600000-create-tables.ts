import type { MigrationInterface, QueryRunner } from 'typeorm'

export class CreateTables1767225600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE "branch" (
        "id" SERIAL NOT NULL,
        "tenant" varchar(20) NOT NULL,
        "name" varchar(80) NOT NULL,
        CONSTRAINT "PK_2e39f426e2faefdaa93c5961976" PRIMARY KEY ("id")
      )
    `)
    await runner.query('CREATE UNIQUE INDEX "IDX_ab874e4463962d9386807f8b94" ON "branch" ("tenant", "name")')
    await runner.query(`
      CREATE TABLE "author" (
        "id" SERIAL NOT NULL,
        "tenant" varchar(20) NOT NULL,
        "name" varchar(80) NOT NULL,
        CONSTRAINT "PK_5a0e79799d372fe56f2f3fa6871" PRIMARY KEY ("id")
      )
    `)
    await runner.query('CREATE INDEX "IDX_269904967c3e989a71e302addd" ON "author" ("tenant", "name")')
    await runner.query(`
      CREATE TABLE "item" (
        "id" SERIAL NOT NULL,
        "tenant" varchar(20) NOT NULL,
        "title" varchar(200) NOT NULL,
        "year" integer NOT NULL,
        "pages" integer,
        "isbn" varchar(17),
        "issue" integer,
        "minutes" integer,
        "narrator" varchar(80),
        "minimumAge" integer DEFAULT 0,
        "kind" varchar NOT NULL,
        CONSTRAINT "PK_d3c0c71f23e7adcf952a1d13423" PRIMARY KEY ("id")
      )
    `)
    await runner.query('CREATE INDEX "IDX_5fbb1d5403bb4044cdcb9d11bc" ON "item" ("tenant", "title")')
    await runner.query('CREATE INDEX "IDX_1df574ecca2d0caa77e7d86c03" ON "item" ("kind")')
    await runner.query(`
      CREATE TABLE "item_authors_author" (
        "itemId" integer NOT NULL,
        "authorId" integer NOT NULL,
        CONSTRAINT "FK_b3ae2b3b41aeef5992da062a9cb" FOREIGN KEY ("itemId") REFERENCES "item" ("id")
          ON DELETE CASCADE ON UPDATE CASCADE,
        CONSTRAINT "FK_1e17a024db64f7e0469d85e40b8" FOREIGN KEY ("authorId") REFERENCES "author" ("id")
          ON DELETE CASCADE ON UPDATE CASCADE,
        CONSTRAINT "PK_5e0a0e565c02571ce347b9f2123" PRIMARY KEY ("itemId", "authorId")
      )
    `)
    await runner.query('CREATE INDEX "IDX_b3ae2b3b41aeef5992da062a9c" ON "item_authors_author" ("itemId")')
    await runner.query('CREATE INDEX "IDX_1e17a024db64f7e0469d85e40b" ON "item_authors_author" ("authorId")')
    await runner.query(`CREATE TYPE "member_role_enum" AS ENUM('member', 'librarian')`)
    await runner.query(`
      CREATE TABLE "member" (
        "id" SERIAL NOT NULL,
        "tenant" varchar(20) NOT NULL,
        "name" varchar(80) NOT NULL,
        "email" varchar(120) NOT NULL,
        "password" varchar(120) NOT NULL,
        "role" "member_role_enum" NOT NULL DEFAULT 'member',
        "isBlocked" boolean NOT NULL DEFAULT false,
        "notes" text,
        CONSTRAINT "PK_97cbbe986ce9d14ca5894fdc072" PRIMARY KEY ("id")
      )
    `)
    await runner.query('CREATE UNIQUE INDEX "IDX_cc46402ee46acf68aec3a980f9" ON "member" ("tenant", "email")')
    await runner.query(`
      CREATE TABLE "copy" (
        "id" SERIAL NOT NULL,
        "tenant" varchar(20) NOT NULL,
        "barcode" varchar(20) NOT NULL,
        "state" varchar(10) NOT NULL DEFAULT 'available',
        "itemId" integer NOT NULL,
        "branchId" integer NOT NULL,
        CONSTRAINT "PK_bb60241fcdd659825ef1ff0fd84" PRIMARY KEY ("id"),
        CONSTRAINT "FK_51cd8716768f9b2d42f029cdfd8" FOREIGN KEY ("itemId") REFERENCES "item" ("id")
          ON DELETE NO ACTION ON UPDATE NO ACTION,
        CONSTRAINT "FK_7bfb942a49c5ed4ba9fc047b27c" FOREIGN KEY ("branchId") REFERENCES "branch" ("id")
          ON DELETE NO ACTION ON UPDATE NO ACTION
      )
    `)
    await runner.query('CREATE INDEX "IDX_51cd8716768f9b2d42f029cdfd" ON "copy" ("itemId")')
    await runner.query('CREATE INDEX "IDX_7bfb942a49c5ed4ba9fc047b27" ON "copy" ("branchId")')
    await runner.query('CREATE UNIQUE INDEX "IDX_0de9be155940b81810dcd54136" ON "copy" ("tenant", "barcode")')
    await runner.query(`
      CREATE TABLE "loan" (
        "id" SERIAL NOT NULL,
        "tenant" varchar(20) NOT NULL,
        "state" varchar(10) NOT NULL DEFAULT 'open',
        "dueOn" date NOT NULL,
        "returnedOn" date,
        "copyId" integer NOT NULL,
        "memberId" integer NOT NULL,
        CONSTRAINT "PK_4ceda725a323d254a5fd48bf95f" PRIMARY KEY ("id"),
        CONSTRAINT "FK_55c622101f2332d4a65de4e7170" FOREIGN KEY ("copyId") REFERENCES "copy" ("id")
          ON DELETE NO ACTION ON UPDATE NO ACTION,
        CONSTRAINT "FK_12f68be39258f2440220105a862" FOREIGN KEY ("memberId") REFERENCES "member" ("id")
          ON DELETE NO ACTION ON UPDATE NO ACTION
      )
    `)
    await runner.query('CREATE INDEX "IDX_55c622101f2332d4a65de4e717" ON "loan" ("copyId")')
    await runner.query('CREATE INDEX "IDX_12f68be39258f2440220105a86" ON "loan" ("memberId")')
    await runner.query('CREATE INDEX "IDX_46d17bffd7df5bf9a613c1b73a" ON "loan" ("tenant", "dueOn")')
    await runner.query(`
      CREATE TABLE "reservation" (
        "id" SERIAL NOT NULL,
        "tenant" varchar(20) NOT NULL,
        "state" varchar(10) NOT NULL DEFAULT 'waiting',
        "itemId" integer NOT NULL,
        "memberId" integer NOT NULL,
        CONSTRAINT "PK_48b1f9922368359ab88e8bfa525" PRIMARY KEY ("id"),
        CONSTRAINT "FK_258e3adddbf0f9e8e867078b6da" FOREIGN KEY ("itemId") REFERENCES "item" ("id")
          ON DELETE NO ACTION ON UPDATE NO ACTION,
        CONSTRAINT "FK_ac1732818e2540ddcc9045e7fa6" FOREIGN KEY ("memberId") REFERENCES "member" ("id")
          ON DELETE NO ACTION ON UPDATE NO ACTION
      )
    `)
    await runner.query('CREATE INDEX "IDX_258e3adddbf0f9e8e867078b6d" ON "reservation" ("itemId")')
    await runner.query('CREATE INDEX "IDX_ac1732818e2540ddcc9045e7fa" ON "reservation" ("memberId")')
    await runner.query('CREATE INDEX "IDX_b12d03bd8c2f31074d9a4ec335" ON "reservation" ("tenant")')
    await runner.query(`
      CREATE UNIQUE INDEX "IDX_3f0150e2858b2dbdb4f8fbe72f" ON "reservation" ("itemId", "memberId")
      WHERE "state" in ('waiting', 'ready')
    `)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE "reservation"')
    await runner.query('DROP TABLE "loan"')
    await runner.query('DROP TABLE "copy"')
    await runner.query('DROP TABLE "member"')
    await runner.query('DROP TYPE "member_role_enum"')
    await runner.query('DROP TABLE "item_authors_author"')
    await runner.query('DROP TABLE "item"')
    await runner.query('DROP TABLE "author"')
    await runner.query('DROP TABLE "branch"')
  }
}
