import { z } from 'zod'
import { endpointsOf } from '../http/endpoint.ts'
import { longest } from '../http/limits.ts'
import { ListQuery, listOf } from '../http/paging.ts'
import { ById, Color, DisplayName, Id, Tag, Tags, textOf } from '../http/primitives.ts'
import { refusalOfUrl } from './rules.ts'

const endpoint = endpointsOf('portal-api')

/** An address outside of the portal that the people of a tenant use beside its apps. */
export const AppLink = z.object({
  id: z.string(),
  name: z.string(),
  /** Begins with `http://` or `https://`, as browsers write it. */
  url: z.string(),
  description: z.string(),
  /** Colour of the mark; null when it is derived from the name. */
  color: z.string().nullable(),
  tags: z.array(z.string()),
  createdAt: z.string(),
  /** User name. */
  createdBy: z.string(),
  updatedAt: z.string(),
  updatedBy: z.string(),
})
export type AppLink = z.infer<typeof AppLink>

const Url = z
  .string()
  .trim()
  .min(1, 'Address required')
  .superRefine((text, context) => {
    const message = text === '' ? undefined : refusalOfUrl(text)
    if (message !== undefined) context.addIssue({ code: 'custom', message })
  })

/** A field that is left out is empty in a new link, and stays as it is in one that is there. */
export const AppLinkInput = z.strictObject({
  name: DisplayName,
  url: Url,
  description: textOf(longest.description).optional(),
  color: Color.nullish(),
  tags: Tags.optional(),
})
export type AppLinkInput = z.infer<typeof AppLinkInput>

const TagParams = z.object({ id: Id, tag: Tag })

export const appLinks = {
  listAppLinks: endpoint('GET', '/v2/applinks', {
    summary: 'App links of the tenant; filters: tag',
    query: ListQuery,
    reply: listOf(AppLink),
  }),
  addAppLink: endpoint('POST', '/v2/applinks', {
    summary: 'Add an app link',
    body: AppLinkInput,
    reply: AppLink,
    status: 201,
  }),
  changeAppLink: endpoint('PUT', '/v2/applinks/:id', {
    summary: 'Change an app link',
    params: ById,
    body: AppLinkInput,
    reply: AppLink,
  }),
  deleteAppLink: endpoint('DELETE', '/v2/applinks/:id', { summary: 'Delete an app link', params: ById, status: 204 }),
  addAppLinkTag: endpoint('PUT', '/v2/applinks/:id/tags/:tag', {
    summary: 'Add a tag to an app link',
    params: TagParams,
    reply: AppLink,
  }),
  removeAppLinkTag: endpoint('DELETE', '/v2/applinks/:id/tags/:tag', {
    summary: 'Remove a tag of an app link',
    params: TagParams,
    reply: AppLink,
  }),
}
