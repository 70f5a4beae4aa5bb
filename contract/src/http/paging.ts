import { z } from 'zod'
import { limits } from './limits.ts'

const order = z
  .string()
  .transform((text) => text.toUpperCase())
  .pipe(z.enum(['ASC', 'DESC']))
const bareFilter = z
  .string()
  .max(100)
  .transform((kind) => (kind === '' ? {} : { kind }))
const filterValue = z.union([z.string().max(200), z.array(z.string().max(200)).max(50)])

/** Query parameters that every list takes: search, filters, fields, sort and page. */
export const ListQuery = z.object({
  search: z.string().max(100, 'at most 100 characters').optional(),
  filters: z.union([bareFilter, z.record(z.string().max(50), filterValue)]).default({}),
  fields: z.unknown().optional(),
  sort: z.record(z.string().max(50), order).default({}),
  page: z
    .object({
      skip: z.coerce.number().int().min(0).max(1_000_000).default(0),
      limit: z.coerce.number().int().min(1).max(limits.pageRows).default(100),
    })
    .default({ skip: 0, limit: 100 }),
})
export type ListQuery = z.infer<typeof ListQuery>

/** Answer of every list. `next` is the address of the page that follows, or null. */
export function listOf<T extends z.ZodType>(item: T) {
  return z.object({
    data: z.array(item),
    page: z.object({ skip: z.number(), limit: z.number(), total: z.number() }),
    next: z.string().nullable(),
  })
}
export interface ListReply<T> {
  data: T[]
  page: { skip: number; limit: number; total: number }
  next: string | null
}

/** Most events in one answer; a caller who gets as many asks again, after the last one. */
export const mostEventsAtOnce = 5000
