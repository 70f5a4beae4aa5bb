import { CallFailed, type Directory } from '../directory-client.ts'
import type { SampleGroup, SampleMember, SamplePerson } from './samples.ts'

type Group = { id: string; name: string; path: string }

/** Makes the groups with their roles, each below its parent; those that are there stay as they are. */
export async function makeGroups(directory: Directory, groups: SampleGroup[], parent?: Group): Promise<Group[]> {
  const made: Group[] = []
  for (const wanted of groups) {
    const group = await ensureGroup(directory, wanted.name, parent)
    const roles = await Promise.all(
      (wanted.realmRoles ?? []).map((role) => directory.get(`/roles/${encodeURIComponent(role)}`)),
    )
    if (roles.length > 0) await directory.post(`/groups/${group.id}/role-mappings/realm`, roles)
    made.push(group, ...(await makeGroups(directory, wanted.children ?? [], group)))
  }
  return made
}

async function ensureGroup(directory: Directory, name: string, parent: Group | undefined): Promise<Group> {
  const home = parent ? `/groups/${parent.id}/children` : '/groups'
  await unlessThere(directory.post(home, { name }))
  const siblings = await directory.get<{ id: string; name: string }[]>(`${home}?max=1000`)
  const found = siblings.find((sibling) => sibling.name === name)
  if (!found) throw new Error(`group ${name} was made but is not found`)
  return { id: found.id, name, path: `${parent?.path ?? ''}/${name}` }
}

/** Makes the people and puts them into their groups; those who sign in are given the password that is kept for them. */
export async function makePeople(
  directory: Directory,
  people: SamplePerson[],
  groups: Group[],
  passwordOf: (username: string) => string,
): Promise<void> {
  for (const { groups: paths, signsInAs, ...person } of people) {
    await unlessThere(directory.post('/users', { ...person, enabled: true, emailVerified: true }))
    const [user] = await directory.get<{ id: string }[]>(
      `/users?exact=true&username=${encodeURIComponent(person.username)}`,
    )
    if (!user) throw new Error(`user ${person.username} was made but is not found`)
    for (const path of paths) {
      const group = groups.find((candidate) => candidate.path === path)
      if (!group) throw new Error(`${person.username} belongs to ${path}, which is no sample group`)
      await directory.put(`/users/${user.id}/groups/${group.id}`)
    }
    if (signsInAs === undefined) continue
    const credential = { type: 'password', value: passwordOf(person.username), temporary: false }
    await directory.put(`/users/${user.id}/reset-password`, credential)
  }
}

/** The members of a space as the portal names them: by the ids of users and groups. */
export async function principalsOf(directory: Directory, members: SampleMember[]) {
  return Promise.all(
    members.map(async ({ user, group, role, owner = false }) => ({
      principal: user ? { type: 'user', id: await userId(directory, user) } : await groupAt(directory, group ?? ''),
      ...{ role, owner },
    })),
  )
}

/** The id of the user of this name, who has to be there. */
export async function userId(directory: Directory, username: string): Promise<string> {
  const [user] = await directory.get<{ id: string }[]>(`/users?exact=true&username=${encodeURIComponent(username)}`)
  if (!user) throw new Error(`there is no user ${username}`)
  return user.id
}

async function groupAt(directory: Directory, path: string) {
  let found: { id: string } | undefined
  for (const name of path.split('/').filter(Boolean)) {
    const home: string = found ? `/groups/${found.id}/children` : '/groups'
    const siblings = await directory.get<{ id: string; name: string }[]>(`${home}?max=1000`)
    found = siblings.find((sibling) => sibling.name === name)
    if (!found) throw new Error(`there is no group ${path} to put into a space`)
  }
  return { type: 'group', id: found?.id ?? '' }
}

/** An earlier start that was cut short may have made it already. */
async function unlessThere(making: Promise<void>): Promise<void> {
  await making.catch((error) => {
    if (!(error instanceof CallFailed && error.status === 409)) throw error
  })
}
