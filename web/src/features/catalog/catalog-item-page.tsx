import type { CatalogItem } from '@quayside/contract/catalog/endpoints'
import IconStar from '@tabler/icons-react/dist/esm/icons/IconStar.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useCatalogItem, useDeleteItem, useItemVersions, useSetFeatured, useVersion } from '../../api/catalog/items.ts'
import { useWizards } from '../../api/deployments/wizards.tsx'
import { useGuard, useMay } from '../../api/permissions/my-scopes.ts'
import { usePageTitle } from '../../lib/page-title.ts'
import { useUrlState } from '../../lib/url-state.ts'
import { useConfirm } from '../../ui/actions/confirm.tsx'
import { CopyableId } from '../../ui/actions/copyable-id.tsx'
import { GuardedButton } from '../../ui/actions/guarded-button.tsx'
import { useTellFailure } from '../../ui/actions/tell-failure.ts'
import { DetailHeader } from '../../ui/layout/detail-header.tsx'
import { UrlTabs } from '../../ui/layout/url-tabs.tsx'
import { FilterChip, ToggleChip } from '../../ui/lists/filter-chip.tsx'
import { Tag } from '../../ui/lists/tag.tsx'
import { Avatar } from '../../ui/marks/avatar.tsx'
import { ErrorPanel } from '../../ui/states/error-panel.tsx'
import { Loading } from '../../ui/states/loading.tsx'
import { ItemReadme } from './item-readme.tsx'
import { ItemVersions } from './item-versions.tsx'
import { ValuesReference } from './values-reference.tsx'
import { WhereDeployed } from './where-deployed.tsx'

export function CatalogItemPage() {
  const { itemId } = useParams({ from: '/catalog/apps/$itemId' })
  const item = useCatalogItem(itemId)
  usePageTitle(item.data?.displayName)
  if (item.error !== null)
    return <ErrorPanel error={item.error} name="Catalog Details" onRetry={() => void item.refetch()} />
  return item.data === undefined ? <Loading /> : <Detail item={item.data} />
}

function Detail({ item }: { item: CatalogItem }) {
  const [{ version: wanted }, setUrl] = useUrlState()
  const versions = useItemVersions(item.id)
  const versionId = wanted ?? item.latestVersionId
  const version = useVersion(versionId)
  const tabs = [
    { value: 'readme', title: 'Readme', panel: version.data && <ItemReadme version={version.data} /> },
    { value: 'versions', title: 'Versions', panel: <ItemVersions versions={versions} /> },
    {
      value: 'values',
      title: 'Values',
      panel: version.data && (
        <ValuesReference valuesYaml={version.data.valuesYaml} schema={version.data.valuesSchema} />
      ),
    },
    { value: 'deployed', title: 'Deployed', panel: <WhereDeployed itemId={item.id} /> },
  ]
  return (
    <>
      <DetailHeader
        title={item.displayName}
        mark={<Avatar name={item.displayName} color={item.color} image={item.iconEmbedded} size={40} />}
        below={
          <>
            <span>
              <bdi>by {item.manufacturer.name}</bdi> · <bdi>{item.category}</bdi> ·{' '}
              {item.type === 'App' ? item.appType : item.type}
              {item.source !== null && <FromSource source={item.source} />}
            </span>
            {item.newVersionAt !== null && <Tag text={`New version ${item.latestVersion}`} />}
            <CopyableId id={item.name} label="chart name" />
          </>
        }
        actions={
          <>
            <FilterChip
              label="Version"
              value={versionId}
              any={false}
              options={(versions.data ?? []).map((one) => ({ value: one.id, label: one.version }))}
              onChange={(next) => setUrl({ version: next === item.latestVersionId ? '' : next })}
            />
            <Actions item={item} versionId={versionId} />
          </>
        }
      />
      <UrlTabs
        keeps={['version']}
        tabs={tabs.map(({ panel, ...tab }) => ({
          ...tab,
          panel:
            version.error === null ? (
              (panel ?? <Loading />)
            ) : (
              <ErrorPanel error={version.error} name="Version" onRetry={() => void version.refetch()} />
            ),
        }))}
      />
    </>
  )
}

/** Where the versions of an item come from, as a link for those who manage that. */
function FromSource({ source: { id, name } }: { source: NonNullable<CatalogItem['source']> }) {
  const isManaged = useMay()('catalog.sources') === true
  return (
    <>
      {' '}
      · from{' '}
      {isManaged ? (
        <Link to="/catalog/apps/sources/$sourceId" params={{ sourceId: id }}>
          <bdi>{name}</bdi>
        </Link>
      ) : (
        <bdi>{name}</bdi>
      )}
    </>
  )
}

function Actions({ item, versionId }: { item: CatalogItem; versionId: string }) {
  const { open } = useWizards()
  const featured = useSetFeatured()
  const remove = useRemoveItem(item)
  const guard = useGuard()
  const feature = guard('catalog.feature', `feature ${item.displayName}`)
  return (
    <>
      {feature.allowed === true ? (
        <ToggleChip
          label="Featured"
          icon={IconStar}
          active={item.featured}
          onToggle={(on) => featured.mutate({ id: item.id, featured: on })}
        />
      ) : (
        <GuardedButton {...feature} icon={IconStar}>
          Featured
        </GuardedButton>
      )}
      <GuardedButton
        icon={IconTrash}
        {...guard('catalog.delete', `delete ${item.displayName}`)}
        onClick={() => void remove()}
      >
        Delete
      </GuardedButton>
      <GuardedButton
        look="primary"
        {...guard('app.deploy', `deploy ${item.displayName}`)}
        onClick={() => void open({ kind: 'install', versionId })}
      >
        Deploy
      </GuardedButton>
    </>
  )
}

function useRemoveItem(item: CatalogItem) {
  const confirm = useConfirm()
  const tell = useTellFailure()
  const navigate = useNavigate()
  const removal = useDeleteItem()
  return async () => {
    const message = `Delete ${item.displayName} with all its versions from the catalog? It cannot be deleted while apps are deployed from it.`
    if (!(await confirm({ message, danger: true }))) return
    await removal.mutateAsync(item.id).then(() => navigate({ to: '/catalog/apps' }), tell('Not deleted'))
  }
}
