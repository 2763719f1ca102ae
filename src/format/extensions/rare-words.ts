/** Words that hardly anybody writes by chance, let alone three of them in one sentence. */
export const rareWords: readonly string[] = `
abacus alcove almanac amaranth amulet anemone apricot armadillo arsenal atrium aurora axolotl bagpipe ballast
bandicoot barnacle basilisk bassoon bellows bergamot bivouac blunderbuss bobbin bramble brigantine buttress calico
calliope cardamom carillon carousel catamaran cavalcade celadon chamois chandelier chimera cinnabar citadel
clavichord cobalt cockatoo colander concertina conclave coracle cormorant cornice crocus crucible cuckoo curlew
cutlass cypress dahlia damask dervish dirigible dogwood dormouse dovetail drawbridge driftwood dulcimer eiderdown
escarpment falconry fandango farthing fennel ferret fiddlehead filigree firebrick flagstone flotilla foxglove fresco
frigate gargoyle gauntlet gazebo geyser gherkin gimlet glockenspiel gondola gosling gossamer grotto guillemot gypsum
halberd hammock harpsichord hazelnut heather hemlock hickory hollyhock honeycomb hourglass hyacinth inkwell isthmus
jackdaw jasmine jetsam jodhpur juniper kaleidoscope kestrel kingfisher kumquat labyrinth lacquer lantern larkspur
latticework lavender leviathan lichen limestone linnet lodestar loganberry lozenge magpie mahogany mandolin mangrove
manticore marigold marmalade marmot marzipan meridian millstone minaret mistletoe moccasin monsoon mosaic mulberry
muskrat myrtle nasturtium nautilus nettle nightjar nutmeg oatcake obelisk obsidian ocelot oriole osprey paddock
palisade pangolin pannier papyrus parapet parchment parsnip pelican peppercorn periwinkle persimmon petrel pewter
pheasant piccolo pilchard pimento pinwheel plumage pomander portcullis primrose puffin pumice quagmire quarry quiver
ragwort rampart rapier ravelin razorbill rhubarb rosewood rutabaga saffron sandpiper sarcophagus sassafras scabbard
schooner scimitar seahorse sextant shallot shamrock shuttlecock sorrel spindle spinnaker spyglass stalactite starling
stevedore stirrup sturgeon sundial swallowtail sycamore tabernacle tamarind tambourine tangerine tapestry tarpaulin
teasel terrapin thimble thistle thornbush timpani tortoise trellis trilobite tumbleweed turmeric turnstile turpentine
tussock urchin verbena vermilion vestibule viaduct vineyard wagtail walnut warbler watermill weathervane wheelbarrow
wicker wigwam windlass wisteria wolverine woodlark wormwood yarrow zephyr ziggurat zither
`
  .trim()
  .split(/\s+/);
