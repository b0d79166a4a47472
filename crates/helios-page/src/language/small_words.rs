//! Small words: they tell languages that have no table of groups, and some from a neighbour that has a larger one.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::grams::{Table, hash_of};
use super::sample::Words;

/// Of a hundred words, so many must be small words of a language that are rare in the one whose groups fit best.
const ENOUGH: u32 = 12;
/// In long texts fewer will do: chance evens out.
const LONG: u32 = 60;
const ENOUGH_IN_LONG: u32 = 6;
/// A weight of the table: about one word in a thousand.
const RARE: u8 = 96;

/// The hash of each word, with the languages it belongs to, one bit each.
static LANGUAGES: LazyLock<HashMap<u32, u32>> = LazyLock::new(|| {
    let mut known: HashMap<u32, u32> = HashMap::new();
    for (place, (_, words)) in SMALL_WORDS.iter().enumerate() {
        for word in words.split(' ') {
            let spaced: Vec<char> = format!(" {word} ").chars().collect();
            *known.entry(hash_of(&spaced)).or_default() |= 1 << place;
        }
    }
    known
});

/// The language, and how many of a hundred words spoke for it and against the best one of the table.
pub(super) fn told(words: &Words, table: &Table, best: usize) -> Option<(&'static str, u32)> {
    let (mut hits, mut all) = ([0_u32; SMALL_WORDS.len()], 0_u32);
    for word in words.iter() {
        all += 1;
        let hash = hash_of(word.letters());
        let Some(&places) = LANGUAGES.get(&hash) else { continue };
        if table.weight(hash, best) >= RARE {
            continue;
        }
        for (place, count) in hits.iter_mut().enumerate() {
            *count += places >> place & 1;
        }
    }
    // Of two that are alike, the first.
    let (&most, (language, _)) = hits.iter().zip(&SMALL_WORDS).rev().max_by_key(|(count, _)| **count)?;
    let share = most * 100 / all.max(1);
    let enough = if all < LONG { ENOUGH } else { ENOUGH_IN_LONG };
    (most > 1 && share >= enough).then_some((*language, share))
}

const SMALL_WORDS: [(&str, &str); 25] = [
    (
        "af",
        "nie vir hulle hy ek sy ons wees sal gaan baie ook nou hierdie toe deur oor haar jy moet \
         word maar mense jaar kom wil daar waar wanneer omdat egter tussen sonder soos kon self \
         nog weer onder teen elke ander nuwe eerste almal iets niks altyd hom hul jou sê dié dat \
         tot net gesê sulke uit hê want een twee hoe jare was ná tyd dag",
    ),
    (
        "az",
        "və bir bu ilə üçün də daha olan edir çox kimi sonra onun olaraq azərbaycan ki idi ildə \
         həm ən görə isə tərəfindən etmək ya edən",
    ),
    (
        "ca",
        "amb els és dels també més però aquest aquesta són fins seva seu hi ser una les això on \
         quan entre pel molt altres cal fer anys tots ha han va van al als del en per que com ja \
         dos tot sobre era any nova seves seus aquests tenir",
    ),
    (
        "cs",
        "že jsem jsou byl byla bylo jako také jen když nebo který která které při před jeho její \
         být pro podle však ještě po není už až ve ze jejich proto bude mezi může roku let tím \
         než",
    ),
    (
        "cy",
        "yn yr mae ei wedi ac eu oedd gan fod bod hefyd hyn cael sydd nid ond ym yng fel wrth pan \
         gyda rhwng drwy dros ddim neu ein eich bydd fydd chi roedd cyn mwy gwaith pobl \
         blynyddoedd flwyddyn lle dim gallu gwneud byddai hwn hon hynny gyfer gennym gall rhan \
         eisiau cymru nhw iddo iddi bob dod wneud ôl mewn trwy yno yma sut pam",
    ),
    (
        "eo",
        "kaj estas mi vi ne al kun pri sed kiu tiu estis ankaŭ pli ke ĝi kiel ili oni nur povas \
         havas aŭ tre dum inter kio jam ĉi ĉu tio tiuj kiuj post sia lia unu ĝis laŭ iĝis kie \
         kiam tiel kiun ĉe ĉiuj ĉar la en por el ni ŝi iu plej multaj alia sen",
    ),
    (
        "et",
        "ja ei et oli ka see mis aga kui oma ning või selle siis kes kuid nii välja veel mida \
         juba olla oleks seda üle kus väga pärast eesti sest ainult kõik mitte ole tema nende \
         need aasta aastal mille enne kuni jooksul eest peale vaid tuleb saab teha peab nagu ta \
         on ma me nad mul tal neid aastat ega sellest kõige ühe",
    ),
    (
        "eu",
        "eta da du ez dira bat ere zen izan dute egin baina zuen hori hau beste baita egiten dela \
         duen bere gehiago behar baino den zuten oso hala ondoren urte urtean egun bezala arte \
         artean nahi dago izango zituen ditu dituzte diren hauek orain gabe euskal zer nola dut \
         bi batean baten dutela zela ari hura bai",
    ),
    (
        "ga",
        "agus an na go bhí tá sé ach nach níl sin seo iad ón leis don bhfuil chun ina raibh féin \
         gur faoi aon eile siad mé muid nó ann air freisin duine daoine bliain bhliain lá atá cé \
         nuair mar ag ar is le do beidh bheith rud déanamh éireann dá ba roimh idir gach uile \
         níos",
    ),
    (
        "kk",
        "және бір бұл мен деп үшін ол болып бар де да қазақстан туралы өз жылы осы сол емес \
         болған кейін ғана көп мемлекеттік жаңа",
    ),
    (
        "la",
        "et est non ad cum ut quod sed qui quae ex ab per aut sunt esse enim hoc atque quam eius \
         etiam nec quo quidem ac haec autem nam erat fuit inter post sive vel anno suo quibus \
         quem rerum ipse ille omnes neque tamen ita igitur quoque apud ante tum sibi eorum esset \
         inde sine ubi",
    ),
    (
        "lg",
        "nti era mu ku okuva naye abantu oba bwe nga kubanga omuntu bonna nnyo kino gwe ye kye \
         kyokka ate okuba awo olw ebintu ne bye lwa okusobola okutuuka bali wano omu buli ekyo \
         omulimu ssente uganda kwe gavumenti",
    ),
    (
        "mi",
        "ngā ki he me ka ko rā mō hei kia nā tō ana nō tā tēnei ai rātou anō atu mai hoki kāore \
         tangata katoa roto kua tētahi nga mahi kei te whakaaro whare tino rangi mea nei tāna \
         ētahi ahau koe tātou waenga tau wāhi",
    ),
    (
        "mn",
        "нь юм байна болон энэ байсан гэж нэг өөрийн бас хийх улсын монгол тэр байгаа болох оны \
         ба дээр хүн гэсэн бүр бол юу тухай",
    ),
    (
        "nn",
        "ikkje eit ein frå vere berre meir òg eg dei korleis kva kven noko nokon heim gjere sidan \
         skulle saman kvar sjølv fleire vore blei vart ho seier heile mykje difor dette saka \
         tidlegare kvifor mellom fekk vert seg noregs nokre einaste korkje desse vidare hadde",
    ),
    (
        "sn",
        "kuti uye asi vanhu kana pane kwete kubva zvinhu munhu izvi zvakare vakati saka panguva \
         kune iyi nekuti vose wake zvose vari ari akati uyo mumwe chete iye ndiye nyika kuita \
         pamusoro mazuva navo naye aiva ndakanga vaive sezvo",
    ),
    (
        "so",
        "iyo oo ah waa ay uu soo ee waxaa kale dalka isku kala wuxuu aan ayaa loo dadka inay laga \
         lagu markii waxay sidii ugu badan gaar heli jiray ahaa yihiin iyada aad hadii xaaladda \
         dhan isaga ilaa inuu kadib sheegay magaalada jirto jira wada noqon",
    ),
    (
        "sq",
        "të dhe në një që për nga është më nuk por ky kjo janë kanë edhe ishte duke deri pas \
         shumë tij saj këtë kur ai ajo ata mund vetëm sipas gjatë ose ndërsa cili gjithë tjetër \
         shqipëri vit viti pra sot me se ka si do pa ku ishin kishte tyre ne çdo parë cilat",
    ),
    (
        "st",
        "le ho ba ya hore ka bona tsa ha ke ne batho empa kapa hape motho wa hae hona hobane eo \
         haholo ntle jwalo mme ena kgotsa kaha nako bohle ntho pele teng tsohle moo mang lona \
         oona feela bakeng",
    ),
    (
        "sw",
        "ya na wa kwa katika ni za la hiyo hii cha kuwa yake huo ambao kama alisema hilo huyo \
         lakini pia watu yao wake hayo kutoka mwaka baada hivyo kila ili tu sana wakati ambayo \
         kwamba vya moja nchi serikali kufanya hata bila zaidi mkoa yeye wao mimi hao hapa wengi \
         mtu kwenye ndani",
    ),
    (
        "tn",
        "le go ba ya gore ka tsa ga ke ne batho mme fa gape motho wa gagwe jaaka mo kwa bone \
         gonne eno thata sentle jalo kgotsa nako botlhe sengwe pele teng tsotlhe mang lona fela \
         tlhoka rona bangwe dingwaga nnang nna",
    ),
    (
        "ts",
        "ku va na leswaku ka xi ni ya loko hi vanhu kambe kumbe hikuva munhu swi wa yena le \
         hinkwavo swinene naswona hinkwaswo leyi xikwembu leswi lava ngopfu nkarhi vona tiko eka \
         entiwa lexi mina sweswi kutani",
    ),
    (
        "xh",
        "ukuba kwaye okanye kunye ukuze xa umntu abantu kuba njengoko yaye nokuba kodwa ngokuba \
         lento ngexesha kakhulu into zonke bonke kwi ezinye wathi kwakhona nto wakhe phantsi leyo \
         ngenxa le lo apho kwakhe phambi emva umsebenzi abanye ubomi uthixo usapho sele",
    ),
    (
        "yo",
        "ní ti àti tí sí jẹ wọn fún láti náà pé bí kan rẹ ọmọ ilé nínú èyí ló àwọn gbogbo lọ kí \
         yìí pẹlú lẹyìn ṣe wà tó nígbà ọdún orílẹ èdè mo wọ pẹ fi lé gẹgẹ ọjọ wá ìlú wọnyí tún \
         ara ẹni ìwé kò bá sì",
    ),
    (
        "zu",
        "ukuthi futhi noma kodwa ukuba kule lapho uma kanye yakhe bonke abantu yokuthi ngoba \
         kusukela kakhulu umuntu abanye ngesikhathi wakhe lokhu ukuze khona wathi njengoba leli \
         ngaphambi kwakhe lo la kulo nje kuyo phezu ngaphandle phakathi esikhathini unyaka",
    ),
];
