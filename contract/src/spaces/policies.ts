import { filtered, holding, inPlace, type Policies, role } from '../http/policy.ts'
import type { spaces } from './endpoints.ts'

export const spacePolicies: Policies<typeof spaces> = {
  listSpaces: filtered('space.view'),
  getSpace: inPlace('space', 'params.id', 'space.view'),
  createSpace: holding(role('apps', 'apps.create')),
  updateSpace: inPlace('space', 'params.id', 'space.edit'),
  freezeSpace: inPlace('space', 'params.id', 'space.edit'),
  unfreezeSpace: inPlace('space', 'params.id', 'space.edit'),
  deleteSpace: inPlace('space', 'params.id', 'space.delete'),
}
