import { type ScreenRoute, screens } from '@quayside/contract/permissions/screens'
import { useMatches } from '@tanstack/react-router'
import { tenantControlsOn } from '../../api/permissions/my-scopes.ts'
import type { Question } from '../../api/permissions/why.tsx'
import { useCurrentPageTitle } from '../../lib/page-title.ts'

/** The pages of a thing in a space, and the parameter that holds its id. */
const inSpaces: Partial<Record<ScreenRoute, { place: 'space' | 'app'; param: string }>> = {
  'spaces/$spaceId/overview': { place: 'space', param: 'spaceId' },
  'apps/$appId': { place: 'app', param: 'appId' },
}

/** The question what one can do on the open page, tabs that it hides included; undefined where no right opens anything. */
export function usePageQuestion(): Question | undefined {
  const { path, params } = useMatches({
    select: (matches) => {
      const { fullPath = '', params: found = {} } = matches.at(-1) ?? {}
      return { path: fullPath.replace(/^\//, ''), params: found as Record<string, string> }
    },
  })
  const title = useCurrentPageTitle()
  const screen = screens.find(({ route }) => route === path)
  if (screen === undefined) return undefined
  const thing = inSpaces[screen.route]
  if (thing !== undefined)
    return { ask: 'all', place: thing.place, id: params[thing.param] ?? '', name: title ?? screen.name, page: path }
  return tenantControlsOn(path).length === 0 ? undefined : { ask: 'all', page: path }
}
