import type { Tries } from './tries.ts'
import { statesOf, type Team, type Tenant } from './two-teams.ts'

const range = { from: '2031-05-01T00:00:00Z', to: '2031-05-02T00:00:00Z' }
const kindOfWidget = { name: 'looker', version: '1.0.0', title: 'Looker', kind: 'Markdown' }

/** Dashboards: one that its owner shares with nobody, and what those of the tenant draw from. */
export function dashboardTries(
  { configuration, widget }: Tenant,
  { dashboard, dashboardPermission, space, viewer }: Team,
): Tries {
  const own = 'dashboard.not-found'
  const params = { id: dashboard.id }
  const entry = { principal: { type: 'user', id: viewer.id }, scopes: ['dashboard.view'] }
  const taken = { displayName: 'Taken', spec: statesOf(space.id), baseRevision: 1 }
  const plugin = { kind: 'Markdown', spec: { text: 'Mine' } }
  const panel = { kind: 'Panel', spec: { display: { name: 'Mine' }, plugin } }
  return {
    'GET /dashboard/v1/manage/scopes': {},
    'GET /dashboard/v2/dashboards': {},
    'GET /dashboard/v1/tags/dashboards': {},
    'GET /dashboard/v3/dashboards/:id': { params, own },
    'POST /dashboard/v3/dashboards': { body: { displayName: 'Mine' }, isEmptyAbroad: true },
    'PUT /dashboard/v3/dashboards/:id': { params, body: taken, own },
    'DELETE /dashboard/v3/dashboards/:id': { params, own },
    'POST /dashboard/v3/dashboards/:id/restore': { params, own },
    'POST /dashboard/v3/dashboards/:id/take-over': { params, own },
    'PUT /dashboard/v3/dashboards/:id/star': { params, body: { starred: true }, own },
    'GET /dashboard/v3/dashboards/:id/permissions': { params, own },
    'POST /dashboard/v3/dashboards/:id/permissions': { params, body: entry, own },
    'PUT /dashboard/v3/dashboards/:id/permissions': {
      params,
      body: { id: dashboardPermission.id, scopes: ['dashboard.view'] },
      own,
    },
    'DELETE /dashboard/v3/dashboards/:id/permissions/:pid': { params: { ...params, pid: dashboardPermission.id }, own },
    'GET /dashboard/v3/dashboards/:id/principals': { params, query: { search: 'some' }, own },
    'GET /dashboard/v1/library': {},
    'POST /dashboard/v1/library': { body: { title: 'Mine', category: 'Texts', panel }, isEmptyAbroad: true },
    'POST /dashboard/v1/library/register': { body: kindOfWidget, isEmptyAbroad: true },
    'DELETE /dashboard/v1/library/:id': { params: { id: widget.id }, mild: { params: { id: 'nothing' } } },
    'GET /dashboard/v1/configurations': {},
    'POST /dashboard/v1/configurations': {
      body: { name: 'Taken', kind: 'links', value: [] },
      mild: { body: { name: configuration.name, kind: 'links', value: [] } },
      isEmptyAbroad: true,
    },
    'GET /dashboard/v1/configurations/:id': { params: { id: configuration.id } },
    'DELETE /dashboard/v1/configurations/:id': {
      params: { id: configuration.id },
      mild: { params: { id: 'nothing' } },
    },
    'GET /dashboard/v1/home': {},
    'PUT /dashboard/v1/home': { body: { choice: 'dashboard', dashboardId: dashboard.id }, own },
    'POST /dashboard/v1/query': { body: { dashboardId: dashboard.id, panels: ['states'], range }, own },
  }
}
