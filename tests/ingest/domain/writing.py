"""Running text in many scripts: articles of the Universal Declaration of Human Rights."""

CHINESE = (
    "人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。"
    "人人有资格享有本宣言所载的一切权利和自由，不分种族、肤色、性别、语言、宗教、政治或其他见解、"
    "国籍或社会出身、财产、出生或其他身份等任何区别。人人有权享有生命、自由和人身安全。"
    "任何人不得使为奴隶或奴役；一切形式的奴隶制度和奴隶买卖，均应予以禁止。"
)
JAPANESE = (
    "すべての人間は、生れながらにして自由であり、かつ、尊厳と権利とについて平等である。"
    "人間は、理性と良心とを授けられており、互いに同胞の精神をもって行動しなければならない。"
    "すべて人は、人種、皮膚の色、性、言語、宗教、政治上その他の意見、国民的若しくは社会的出身、財産、"
    "門地その他の地位又はこれに類するいかなる事由による差別をも受けることなく、"
    "この宣言に掲げるすべての権利と自由とを享有することができる。"
    "すべて人は、生命、自由及び身体の安全に対する権利を有する。"
)
KOREAN = (
    "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다. "
    "인간은 천부적으로 이성과 양심을 부여받았으며 서로 형제애의 정신으로 행동하여야 한다. "
    "모든 사람은 인종, 피부색, 성, 언어, 종교, 정치적 또는 기타의 견해, 민족적 또는 사회적 출신, "
    "재산, 출생 또는 기타의 신분과 같은 어떠한 종류의 차별이 없이, "
    "이 선언에 규정된 모든 권리와 자유를 향유할 자격이 있다. "
)
THAI = (
    "มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ "
    "ต่างมีเหตุผลและมโนธรรม และควรปฏิบัติต่อกันด้วยเจตนารมณ์แห่งภราดรภาพ "
    "ทุกคนย่อมมีสิทธิและอิสรภาพทั้งปวงตามที่กำหนดไว้ในปฏิญญานี้ โดยปราศจากการแบ่งแยกไม่ว่าชนิดใด "
    "อาทิ เชื้อชาติ ผิว เพศ ภาษา ศาสนา ความคิดเห็นทางการเมืองหรือทางอื่น พื้นเพทางชาติหรือสังคม ทรัพย์สิน "
    "การเกิด หรือสถานะอื่น "
)
ENGLISH = (
    "All human beings are born free and equal in dignity and rights. They are endowed with reason "
    "and conscience and should act towards one another in a spirit of brotherhood. Everyone is "
    "entitled to all the rights and freedoms set forth in this Declaration, without distinction of "
    "any kind, such as race, colour, sex, language, religion, political or other opinion, national "
    "or social origin, property, birth or other status. "
)
GERMAN = (
    "Alle Menschen sind frei und gleich an Würde und Rechten geboren. Sie sind mit Vernunft und "
    "Gewissen begabt und sollen einander im Geist der Brüderlichkeit begegnen. Jeder hat Anspruch "
    "auf die in dieser Erklärung verkündeten Rechte und Freiheiten ohne irgendeinen Unterschied, "
    "etwa nach Rasse, Hautfarbe, Geschlecht, Sprache, Religion, politischer oder sonstiger "
    "Überzeugung, nationaler oder sozialer Herkunft, Vermögen, Geburt oder sonstigem Stand. "
)
FRENCH = (
    "Tous les êtres humains naissent libres et égaux en dignité et en droits. Ils sont doués de "
    "raison et de conscience et doivent agir les uns envers les autres dans un esprit de "
    "fraternité. Chacun peut se prévaloir de tous les droits et de toutes les libertés proclamés "
    "dans la présente Déclaration, sans distinction aucune, notamment de race, de couleur, de "
    "sexe, de langue, de religion, d'opinion politique ou de toute autre opinion. "
)
SPANISH = (
    "Todos los seres humanos nacen libres e iguales en dignidad y derechos y, dotados como están "
    "de razón y conciencia, deben comportarse fraternalmente los unos con los otros. Toda persona "
    "tiene todos los derechos y libertades proclamados en esta Declaración, sin distinción alguna "
    "de raza, color, sexo, idioma, religión, opinión política o de cualquier otra índole. "
)
RUSSIAN = (
    "Все люди рождаются свободными и равными в своем достоинстве и правах. Они наделены разумом и "
    "совестью и должны поступать в отношении друг друга в духе братства. Каждый человек должен "
    "обладать всеми правами и всеми свободами, провозглашенными настоящей Декларацией, без какого "
    "бы то ни было различия. "
)
