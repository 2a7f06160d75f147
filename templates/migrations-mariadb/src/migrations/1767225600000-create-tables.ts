import type { MigrationInterface, QueryRunner } from 'typeorm'

export class CreateTables1767225600000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE author (
        id int NOT NULL AUTO_INCREMENT PRIMARY KEY,
        name varchar(80) NOT NULL
      ) ENGINE = InnoDB
    `)
    await runner.query(`
      CREATE TABLE publication (
        id int NOT NULL AUTO_INCREMENT PRIMARY KEY,
        title varchar(120) NOT NULL,
        pages int NULL,
        issue int NULL,
        kind varchar(255) NOT NULL,
        authorId int NULL,
        INDEX IDX_152fc564787a7fc0f5456ad7df (authorId),
        INDEX IDX_b3435c5bb449432f0153a28399 (kind),
        CONSTRAINT FK_152fc564787a7fc0f5456ad7dff FOREIGN KEY (authorId) REFERENCES author (id)
          ON DELETE SET NULL ON UPDATE NO ACTION
      ) ENGINE = InnoDB
    `)
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE publication')
    await runner.query('DROP TABLE author')
  }
}
