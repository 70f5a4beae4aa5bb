import type { ProtocolMapper } from '../directory/builtin-scopes.ts'
import { readMappers } from '../directory/client-scopes.ts'
import type { JsonObject } from '../http/exchange.ts'
import { badRequest, notFound } from '../http/problem.ts'
import { bodyObject, type Call, clientsManage, created, done, ok, param, type Reply, type Route } from './route.ts'

/** A client or client scope, whose tokens get claims by these mappers. */
interface Holder {
  id: string
  mappers: readonly ProtocolMapper[]
  save(mappers: readonly ProtocolMapper[]): Promise<unknown>
}

interface Kind {
  /** Word of the path before the id. */
  collection: string
  view: readonly string[]
  read(call: Call): Promise<Pick<Holder, 'mappers'>>
  /** Finds it for a change, by whoever may make one. */
  change(call: Call): Promise<Holder>
}

/** A mapper replaces another one of its name. */
async function add({ mappers, save }: Holder, sent: readonly JsonObject[]): Promise<ProtocolMapper[]> {
  const fresh = readMappers(sent.map((mapper) => ({ ...mapper, id: undefined })))
  await save([...mappers.filter(({ name }) => !fresh.some((mapper) => mapper.name === name)), ...fresh])
  return fresh
}

function oneOf(call: Call, mappers: readonly ProtocolMapper[]): ProtocolMapper {
  const found = mappers.find(({ id }) => id === param(call, 'mapper'))
  if (!found) throw notFound('Model')
  return found
}

async function update(call: Call, { mappers, save }: Holder): Promise<Reply> {
  const known = oneOf(call, mappers)
  const [changed = known] = readMappers([{ ...known, ...bodyObject(call), id: known.id }])
  await save(mappers.map((mapper) => (mapper === known ? changed : mapper)))
  return done
}

async function remove(call: Call, { mappers, save }: Holder): Promise<Reply> {
  const known = oneOf(call, mappers)
  await save(mappers.filter((mapper) => mapper !== known))
  return done
}

/** Protocol mappers of clients or of client scopes. */
export function mapperRoutes({ collection, view, read, change }: Kind): Route[] {
  const path = `/${collection}/:holder/protocol-mappers`
  const manage = { needs: clientsManage, path: `${path}/models` }
  return [
    { method: 'GET', path: `${path}/models`, needs: view, answer: async (c) => ok((await read(c)).mappers) },
    {
      ...{ method: 'GET', path: `${path}/protocol/:protocol`, needs: view },
      answer: async (c) => ok((await read(c)).mappers.filter(({ protocol }) => protocol === param(c, 'protocol'))),
    },
    {
      ...{ ...manage, method: 'POST' },
      async answer(c) {
        const holder = await change(c)
        const [mapper] = await add(holder, [bodyObject(c)])
        return created(`${c.address}/${collection}/${holder.id}/protocol-mappers/models/${mapper?.id ?? ''}`)
      },
    },
    {
      ...{ ...manage, method: 'POST', path: `${path}/add-models` },
      async answer(c) {
        if (!Array.isArray(c.body)) throw badRequest('A list of mappers is expected')
        await add(await change(c), c.body as JsonObject[])
        return done
      },
    },
    {
      ...{ method: 'GET', path: `${path}/models/:mapper`, needs: view },
      answer: async (c) => ok(oneOf(c, (await read(c)).mappers)),
    },
    {
      ...{ ...manage, method: 'PUT', path: `${path}/models/:mapper` },
      answer: async (c) => update(c, await change(c)),
    },
    {
      ...{ ...manage, method: 'DELETE', path: `${path}/models/:mapper` },
      answer: async (c) => remove(c, await change(c)),
    },
  ]
}
