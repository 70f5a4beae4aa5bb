import { type FormEvent, useState } from 'react'
import type { RealmPart } from '../../api/realms/realms.ts'
import { ApiError } from '../../lib/api/api-error.ts'
import { Button } from '../../ui/actions/button.tsx'
import { useConfirm } from '../../ui/actions/confirm.tsx'
import type { Right } from '../../ui/actions/explain.ts'
import { GuardedButton } from '../../ui/actions/guarded-button.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { ErrorPanel } from '../../ui/states/error-panel.tsx'
import { Loading } from '../../ui/states/loading.tsx'
import {
  type AnySetting,
  numberProblem,
  type Setting,
  shownTyped,
  type Typed,
  type Values,
  valuesOf,
  warningsOf,
} from './setting.ts'
import { SettingField } from './setting-field.tsx'
import styles from './settings.module.css'

interface Props<T> {
  title: string
  /** The whole part in plain words. */
  about: string
  table: readonly Setting<T>[]
  part: RealmPart<T>
  right: Right
}

/** One part of the realm's settings as a form, with the recommended settings at hand; a change that weakens something is confirmed first. */
export function SettingsPanel<T extends Values>({ title, about, table, part, right }: Props<T>) {
  const { query } = part
  return (
    <Panel title={title}>
      <p className={styles.about}>
        <bdi>{about}</bdi>
      </p>
      {query.data !== undefined ? (
        <SettingsForm
          title={title}
          settings={table as unknown as readonly AnySetting[]}
          now={query.data}
          save={part.save as unknown as Save}
          right={right}
        />
      ) : query.error !== null ? (
        <ErrorPanel error={query.error} name={title} onRetry={() => void query.refetch()} />
      ) : (
        <Loading />
      )}
    </Panel>
  )
}

type Save = Pick<RealmPart<Values>['save'], 'mutate' | 'isPending' | 'error' | 'reset' | 'isSuccess'>

interface FormProps {
  title: string
  settings: readonly AnySetting[]
  now: Values
  save: Save
  right: Right
}

function SettingsForm({ title, settings, now, save, right }: FormProps) {
  const confirm = useConfirm()
  const [typed, setTyped] = useState<Typed>({})
  const shown = shownTyped(settings, now, typed)
  const next = { ...now, ...valuesOf(settings, shown) }
  const visible = settings.filter((setting) => setting.shown?.(next) !== false)
  const problems = visible.filter((setting) => numberProblem(setting, next[setting.key]) !== undefined)
  const isChanged = settings.some(({ key }) => next[key] !== now[key])
  const refused = save.error instanceof ApiError ? save.error : undefined
  const atField = visible.find(({ key }) => key === refused?.field)
  const change = (more: Typed) => {
    save.reset()
    setTyped({ ...typed, ...more })
  }
  async function submit(event: FormEvent) {
    event.preventDefault()
    const warnings = warningsOf(settings, now, next)
    const question = { title: 'Change how people sign in', message: warnings.join(' '), danger: true }
    if (warnings.length > 0 && !(await confirm(question))) return
    save.mutate(next, { onSuccess: () => setTyped({}) })
  }
  return (
    <form onSubmit={(event) => void submit(event)} noValidate aria-label={title} className={styles.form}>
      <div className={styles.fields}>
        {visible.map((setting) => (
          <SettingField
            key={setting.key}
            setting={setting}
            value={shown[setting.key] ?? ''}
            disabled={right.allowed !== true}
            error={numberProblem(setting, next[setting.key]) ?? (atField === setting ? refused?.message : undefined)}
            onChange={(value) => change({ [setting.key]: value })}
          />
        ))}
      </div>
      {save.error !== null && atField === undefined && <ErrorPanel error={save.error} name={title} />}
      <SettingsButtons
        name={title}
        right={right}
        isChanged={isChanged}
        isSaved={save.isSuccess}
        isInvalid={problems.length > 0}
        busy={save.isPending}
        onDiscard={() => {
          save.reset()
          setTyped({})
        }}
        onSafe={() => change(safeTyped(settings))}
      />
    </form>
  )
}

const safeTyped = (settings: readonly AnySetting[]): Typed =>
  Object.fromEntries(
    settings.flatMap(({ key, safe }) =>
      safe === undefined ? [] : [[key, typeof safe === 'boolean' ? safe : String(safe)] as const],
    ),
  )

interface ButtonsProps {
  /** The name of the form, for who hears the buttons of several. */
  name: string
  right: Right
  isChanged: boolean
  isSaved: boolean
  isInvalid: boolean
  busy: boolean
  onDiscard: () => void
  onSafe: () => void
}

/** The way out of a form of settings: save, discard, or fill in the recommended settings. */
export function SettingsButtons({ name, right, isChanged, isSaved, isInvalid, busy, onDiscard, onSafe }: ButtonsProps) {
  return (
    <div className={styles.buttons}>
      <span role="status" className={styles.saved}>
        {isSaved && !isChanged && 'Saved'}
      </span>
      {right.allowed === true && (
        <Button look="quiet" aria-label={`Use recommended settings: ${name}`} onClick={onSafe}>
          Use recommended settings
        </Button>
      )}
      {isChanged && (
        <Button aria-label={`Discard changes: ${name}`} onClick={onDiscard}>
          Discard changes
        </Button>
      )}
      <GuardedButton
        {...right}
        type={right.allowed === true ? 'submit' : 'button'}
        look="primary"
        busy={busy}
        aria-label={`Save: ${name}`}
        disabled={!isChanged || isInvalid}
      >
        Save
      </GuardedButton>
    </div>
  )
}
