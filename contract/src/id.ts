import { z } from 'zod'

export const Id = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]*$/, 'not an id')
export const ById = z.object({ id: Id })
