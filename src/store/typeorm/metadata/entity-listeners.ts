import type { DataSource, EntityMetadata, EntitySubscriberInterface } from 'typeorm'

/** The events that listeners and subscribers of an entity observe. */
export interface ObservedEntityEvents {
  readonly insert: boolean
  readonly afterInsert: boolean
  readonly update: boolean
  readonly afterUpdate: boolean
  readonly remove: boolean
  readonly load: boolean
}

export function observedEntityEventsOf(metadata: EntityMetadata, { subscribers }: DataSource): ObservedEntityEvents {
  const listening = subscribers.filter((subscriber) => listensTo(subscriber, metadata.target))
  const hasAny = (hooks: readonly (keyof EntitySubscriberInterface)[], listeners: readonly unknown[]) =>
    listeners.length > 0 || listening.some((subscriber) => hooks.some((hook) => subscriber[hook] !== undefined))
  const { beforeInsertListeners, afterInsertListeners, beforeUpdateListeners, afterUpdateListeners } = metadata
  const { beforeRemoveListeners, afterRemoveListeners, beforeSoftRemoveListeners, afterSoftRemoveListeners } = metadata
  const removing = [beforeRemoveListeners, afterRemoveListeners, beforeSoftRemoveListeners, afterSoftRemoveListeners]
  return {
    insert: hasAny(['beforeInsert', 'afterInsert'], [...beforeInsertListeners, ...afterInsertListeners]),
    afterInsert: hasAny(['afterInsert'], afterInsertListeners),
    update: hasAny(['beforeUpdate', 'afterUpdate'], [...beforeUpdateListeners, ...afterUpdateListeners]),
    afterUpdate: hasAny(['afterUpdate'], afterUpdateListeners),
    remove: hasAny(['beforeRemove', 'afterRemove', 'beforeSoftRemove', 'afterSoftRemove'], removing.flat()),
    load: hasAny(['afterLoad'], metadata.afterLoadListeners),
  }
}

/** Returns true if a subscriber observes an entity, as TypeORM decides it. */
function listensTo(subscriber: EntitySubscriberInterface, target: EntityMetadata['target']): boolean {
  const subject = subscriber.listenTo?.()
  if (subject === undefined || subject === Object || subject === target) return true
  return (
    typeof subject === 'function' &&
    typeof target === 'function' &&
    Object.prototype.isPrototypeOf.call(subject, target)
  )
}
