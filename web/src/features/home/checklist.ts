/** The number of each kind of object in the tenant; undefined while it is not known or may not be seen. */
export interface Holdings {
  spaces: number | undefined
  clusters: number | undefined
  items: number | undefined
  apps: number | undefined
}

interface Step {
  title: string
  text: string
  to: '/spaces' | '/clusters' | '/catalog/apps'
  done: boolean
}

/** The steps from nothing to a deployed app, each checked off by what is there. */
export function checklistFor({ spaces = 0, clusters = 0, items = 0, apps = 0 }: Holdings): Step[] {
  return [
    {
      title: 'Make a space',
      text: 'A space holds the apps of one team or one purpose.',
      to: '/spaces',
      done: spaces > 0,
    },
    {
      title: 'Connect a cluster',
      text: 'Apps run on a cluster that a space may use.',
      to: '/clusters',
      done: clusters > 0,
    },
    {
      title: 'Add a package',
      text: 'The catalog offers every chart that is uploaded to it.',
      to: '/catalog/apps',
      done: items > 0,
    },
    {
      title: 'Deploy an app',
      text: 'Choose a catalog item, fill in its form and watch it come up.',
      to: '/catalog/apps',
      done: apps > 0,
    },
  ]
}

/** Shown until the first app is there, and only once it is known that there is none. */
export function showsChecklist(holdings: Holdings): boolean {
  return holdings.apps === 0
}
