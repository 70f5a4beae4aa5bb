import type { AppLink, AppLinkInput } from '@quayside/contract/app-links/endpoints'
import { appLinks as endpoints } from '@quayside/contract/app-links/endpoints'
import { mostTags } from '@quayside/contract/app-links/rules'
import type { ListQuery, ListReply } from '@quayside/contract/http/paging'
import { pathOf } from '@quayside/contract/http/path'
import type { Actor } from '../../platform/auth/actor.ts'
import type { Db } from '../../platform/db/db.ts'
import { fail } from '../../platform/http/errors.ts'
import { listReply } from '../../platform/http/listing.ts'
import { contentOf, type LinkContent, withTag } from './link-content.ts'
import { createAppLinkStore } from './store.ts'
import type { AppLinkRow } from './tables.ts'

/** Links of a tenant that lead out of the portal. `changed` tells the pages that show them. */
export function createAppLinks(db: Db, changed: (tenantId: string) => void) {
  const store = createAppLinkStore(db)

  async function change(
    { tenantId, username }: Actor,
    id: string,
    decide: (row: AppLinkRow) => Partial<LinkContent>,
  ): Promise<AppLink> {
    const row = await store.change(tenantId, id, username, decide).catch((error: unknown) => {
      throw isNameTaken(error) ? nameTaken() : error
    })
    if (row === undefined) throw fail('app-link.not-found')
    changed(tenantId)
    return toLink(row)
  }

  return {
    async list({ tenantId }: Actor, query: ListQuery): Promise<ListReply<AppLink>> {
      const { rows, total } = await store.page(tenantId, query)
      return listReply(rows.map(toLink), total, query, pathOf(endpoints.listAppLinks))
    },

    async add({ tenantId, username }: Actor, input: AppLinkInput): Promise<AppLink> {
      const row = await store.add(tenantId, contentOf(input), username)
      if (row === undefined) throw nameTaken()
      changed(tenantId)
      return toLink(row)
    },

    change: (actor: Actor, id: string, input: AppLinkInput): Promise<AppLink> =>
      change(actor, id, (before) => contentOf(input, before)),

    /** Adds a tag, or takes it off. */
    setTag: (actor: Actor, id: string, tag: string, isSet: boolean): Promise<AppLink> =>
      change(actor, id, (before) => {
        const tags = withTag(before.tags, tag, isSet)
        if (tags === undefined)
          throw fail('app-link.too-many-tags', { field: 'tag', message: `An app link has at most ${mostTags} tags.` })
        return { tags }
      }),

    async remove({ tenantId }: Actor, id: string): Promise<void> {
      if (!(await store.remove(tenantId, id))) throw fail('app-link.not-found')
      changed(tenantId)
    },
  }
}
export type AppLinks = ReturnType<typeof createAppLinks>

const nameTaken = () => fail('app-link.name-taken', { field: 'name' })

function isNameTaken(error: unknown): boolean {
  return error instanceof Error && 'constraint' in error && error.constraint === 'app_links_name'
}

function toLink(row: AppLinkRow): AppLink {
  const { id, name, url, description, color, tags } = row
  return {
    ...{ id, name, url, description, color, tags },
    createdAt: row.created_at.toISOString(),
    createdBy: row.created_by,
    updatedAt: row.updated_at.toISOString(),
    updatedBy: row.updated_by,
  }
}
