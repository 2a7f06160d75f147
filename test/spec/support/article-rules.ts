import { getEntityManager, type ResourceRecord, respondAccepted } from 'stemma'
import { define } from '../../support/api'
import { Article, Export, Job, Medium } from './article-models'

/** Rejects robots as reviewers. */
function withoutRobots(_write: unknown, relationship: string, related: readonly ResourceRecord[]) {
  const isRobot = ({ instance }: ResourceRecord) => 'name' in instance && instance.name === 'Robot'
  return relationship === 'reviewers' ? related.filter((each) => !isRobot(each)) : undefined
}

export const RULES = [
  define(Article, { setToMany: withoutRobots, addToMany: withoutRobots }),
  define(Medium, { include: (_names, client) => (client === 'notSent' ? ['uploader'] : undefined) }),
  define(Export, {
    async beforeWrite(write) {
      if (!write.values.name.startsWith('large')) return
      const id = `${write.kind} ${write.values.name}`
      await getEntityManager(write).insert(Job, { id, task: write.kind })
      return respondAccepted({ type: 'jobs', id })
    },
  }),
  define(Job, {
    redirect: ({ instance: { exportId } }) =>
      exportId === null ? undefined : { type: 'exports', id: String(exportId) },
  }),
]
