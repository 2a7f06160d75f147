import { entityManagerOf, equals, not, type ResourceClass, ResourceDefinition, type ResourceWrite } from 'stemma'
import { startApi } from '../../../support/api'
import { define } from '../../../support/define'
import { keysOf, outcomeOf } from '../../../support/expectations'
import type { ApiRequest } from '../../../support/request'
import { setUp } from '../../../support/set-up'
import { Customer, Order, Return, refillTrade, Tenant, TRADE } from '../../../support/trade'

/** The ids and key parts that rules got. */
export const calls: string[] = []

class OrderRules extends ResourceDefinition<Order> {
  readonly resource: ResourceClass = Order

  override beforeWrite({ id, values: { shop, code, amount } }: ResourceWrite<Order>): object | Promise<object> {
    calls.push(`${id || 'new'}: ${shop} ${code}`)
    // Returns the same key, or another one.
    return { shop, code: amount === 666 ? 'evil' : code }
  }
  override afterWrite({ id }: ResourceWrite<Order>) {
    calls.push(`after ${id}`)
  }
}

/** Hides the tenant `se` from the client `blind`. */
const tenantRules = define<Tenant, unknown>(Tenant, {
  filter: (client) => (client === 'blind' ? not(equals('id', 'se')) : undefined),
})

/** Removes the customer before the row is written. */
class ReturnRules extends OrderRules {
  override readonly resource: ResourceClass = Return

  override async beforeWrite(write: ResourceWrite<Order>): Promise<object> {
    if (write.values.amount === 13) await entityManagerOf(write).delete(Customer, { tenantId: 'no', number: 2 })
    return super.beforeWrite(write)
  }
}

/** Removes the sponsor. */
const customerRules = define(Customer, {
  async beforeWrite(write: ResourceWrite<Customer>) {
    if (write.values.name === 'late') await entityManagerOf(write).delete(Customer, { tenantId: 'no', number: 12 })
  },
})

/** The API of a file of tests, filled anew for each of them. */
export function useTrade() {
  const definitions = [new OrderRules(), new ReturnRules(), tenantRules, customerRules] as ResourceDefinition[]
  const api = setUp(() => startApi(TRADE, { definitions, context: (request) => request.get('x-client') }))
  beforeEach(async () => {
    await refillTrade(api)
    calls.length = 0
  })
  return {
    api,
    linked: async (path: string) => keysOf((await api.get(path)).body.data),
    /** The errors of a request that writes nothing. */
    refusal: async (request: () => ApiRequest) => outcomeOf(await api.unchanged(request)),
  }
}
