/**
 * The software bill of materials of a package, in CycloneDX: what its bundle contains, with versions, and the
 * dependencies that are installed next to it, with their ranges. It has neither a time nor a serial number, so the same
 * sources give the same file.
 */
import { Enums, Models, Serialize, Spec } from '@cyclonedx/cyclonedx-library'

/**
 * @param manifest the package.json
 * @param bundled those of the packages whose modules are in the bundle
 */
export function sbomOf(manifest, bundled) {
  const bom = new Models.Bom()
  const main = componentOf(manifest)
  bom.metadata.component = main
  for (const each of bundled) {
    const component = componentOf(each)
    component.properties.add(new Models.Property('fastify-accounts:bundled', 'true'))
    add(component)
  }
  const {
    dependencies = {},
    peerDependencies = {},
    peerDependenciesMeta = {},
    optionalDependencies = {},
  } = manifest
  for (const [name, range] of Object.entries({
    ...dependencies,
    ...peerDependencies,
    ...optionalDependencies,
  })) {
    const component = componentOf({ name })
    const isOptional = name in optionalDependencies || peerDependenciesMeta[name]?.optional === true
    component.scope = isOptional ? Enums.ComponentScope.Optional : Enums.ComponentScope.Required
    // As `pnpm pack` replaces it.
    const published = range.replace(/^workspace:([~^]?).*$/, `$1${manifest.version}`)
    component.properties.add(new Models.Property('fastify-accounts:range', published))
    add(component)
  }
  const factory = new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6)
  return `${new Serialize.JsonSerializer(factory).serialize(bom, { sortLists: true })}\n`

  function add(component) {
    bom.components.add(component)
    main.dependencies.add(component.bomRef)
  }
}

function componentOf({ name, version, license }) {
  const [, scope, base] = /^(?:(@[^/]+)\/)?(.+)$/.exec(name)
  const at = version === undefined ? '' : `@${version}`
  const purl = `pkg:npm/${scope === undefined ? '' : `${encodeURIComponent(scope)}/`}${base}${at}`
  const component = new Models.Component(Enums.ComponentType.Library, base, {
    group: scope,
    version,
    purl,
    bomRef: purl,
  })
  if (license !== undefined) component.licenses.add(new Models.LicenseExpression(license))
  return component
}
