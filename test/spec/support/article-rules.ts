import { accepted, entityManagerOf, ResourceDefinition, type ResourceWrite, type StoredRecord } from 'stemma'
import { Article, Export, Job, Medium } from './article-models'

/** Robots review nothing. */
class ArticleRules extends ResourceDefinition<Article> {
  readonly resource = Article

  override setToMany(_write: ResourceWrite<Article>, relationship: string, rights: readonly StoredRecord[]) {
    return relationship === 'reviewers' ? rights.filter((right) => !isRobot(right)) : undefined
  }

  override addToMany(write: ResourceWrite<Article>, relationship: string, rights: readonly StoredRecord[]) {
    return this.setToMany(write, relationship, rights)
  }
}

function isRobot({ instance }: StoredRecord): boolean {
  return 'name' in instance && instance.name === 'Robot'
}

class MediumRules extends ResourceDefinition<Medium> {
  readonly resource = Medium

  override include(_names: readonly string[], client: 'sent' | 'notSent') {
    return client === 'notSent' ? ['uploader'] : undefined
  }
}

class ExportRules extends ResourceDefinition<Export> {
  readonly resource = Export

  override async beforeWrite(write: ResourceWrite<Export>) {
    if (!write.values.name.startsWith('large')) return
    const id = `${write.kind} ${write.values.name}`
    await entityManagerOf(write).insert(Job, { id, task: write.kind })
    return accepted({ type: 'jobs', id })
  }
}

class JobRules extends ResourceDefinition<Job> {
  readonly resource = Job

  override seeOther({ instance: { exportId } }: StoredRecord<Job>) {
    return exportId === null ? undefined : { type: 'exports', id: String(exportId) }
  }
}

export const RULES = [new ArticleRules(), new MediumRules(), new ExportRules(), new JobRules()]
