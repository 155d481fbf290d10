RSpec.describe Library::Statistics do
  subject(:statistics) { described_class.new(desk) }

  before do
    art = desk.lend(Examples::ART, adult, Date.new(2026, 1, 3))
    desk.take_back(art, Date.new(2026, 1, 13))
    film = desk.lend(Examples::FILM, adult, Date.new(2026, 3, 3))
    desk.take_back(film, Date.new(2026, 3, 11))
    desk.lend(Examples::ART, adult, Date.new(2026, 3, 3))
  end

  it "knows what is lent most" do
    expect(statistics.most_lent(1)).to eq(["The Art of Tea"])
    expect(statistics.most_lent.last).to eq("A Film of Rain")
  end

  it "counts loans by month" do
    expect(statistics.by_month(2026).values_at(1, 2, 3, 12)).to eq([1, 0, 2, 0])
    expect(statistics.table(2026).first(3)).to eq(["01 #", "02", "03 ##"])
    expect(statistics.by_month(2025).values.sum).to eq(0)
  end

  it "tells how many came back late" do
    expect(statistics.late_percent(Date.new(2026, 3, 12))).to eq(33)
  end

  it "tells how long books are kept" do
    expect(statistics.average_days).to eq(9.0)
  end
end
