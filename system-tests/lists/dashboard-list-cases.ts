import type { DashboardRow } from '@quayside/contract/dashboards/endpoints'
import type { Configuration, Widget } from '@quayside/contract/dashboards/library'
import { type ListCase, listCase, searchesIn } from './list-case.ts'

const asText = ({ displayName, description, tags }: DashboardRow) => [displayName, description, ...tags].join(' ')

/** Lists of the service of dashboards. */
export const dashboardListCases: Readonly<Record<string, ListCase>> = {
  'GET /dashboard/v2/dashboards': listCase<DashboardRow>({
    sorts: {
      displayName: ({ displayName }) => displayName,
      createdAt: ({ createdAt }) => createdAt,
      updatedAt: ({ updatedAt }) => updatedAt,
    },
    usually: [[({ displayName }) => displayName, 'ASC']],
    filters: {
      tag: { by: () => 'odd', keeps: ({ tags }) => tags.includes('odd') },
      spaceId: {
        by: ({ spaces }) => spaces[0]?.id ?? '',
        keeps: ({ spaceIds }, { spaces }) => spaceIds.includes(spaces[0]?.id ?? ''),
      },
      owner: { by: ({ admin }) => admin.userId, keeps: ({ ownerId }, { admin }) => ownerId === admin.userId },
      starred: { by: () => 'true', keeps: ({ starred }) => starred },
    },
    elsewhere: ['deleted', 'orphaned'],
    searches: searchesIn(asText),
  }),
  'GET /dashboard/v1/library': listCase<Widget>({
    sorts: { title: ({ title }) => title },
    usually: [[({ title }) => title, 'ASC']],
    filters: {
      category: { by: () => 'Texts', keeps: ({ category }) => category === 'Texts' },
      source: { by: () => 'built-in', keeps: ({ source }) => source === 'built-in' },
    },
    searches: searchesIn(({ title, description, category }) => [title, description, category].join(' ')),
  }),
  'GET /dashboard/v1/configurations': listCase<Configuration>({
    sorts: { name: ({ name }) => name, updatedAt: ({ updatedAt }) => updatedAt },
    usually: [[({ name }) => name, 'ASC']],
    filters: {
      kind: { by: () => 'links', keeps: ({ kind }) => kind === 'links' },
      spaceId: {
        by: ({ spaces }) => spaces[0]?.id ?? '',
        keeps: ({ spaceId }, { spaces }) => spaceId === spaces[0]?.id,
      },
    },
    searches: searchesIn(({ name }) => name),
  }),
}
